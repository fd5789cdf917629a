import { expect, test } from 'vitest'
import {
  hostCookieName,
  readCookie,
  readHostCookie,
  withSetCookies,
  writeCookie,
} from './cookies.ts'

test('what a browser sends next holds the cookies that were just set', () => {
  const next = withSetCookies('sid=old; theme=dark', [
    writeCookie('sid', 'new one', { maxAgeSeconds: null, secure: false }),
    writeCookie('extra', '1', { maxAgeSeconds: 60, secure: true }),
  ])
  expect([readCookie(next, 'sid'), readCookie(next, 'theme'), readCookie(next, 'extra')]).toEqual([
    'new one',
    'dark',
    '1',
  ])
})

test('a cookie that ends at once is sent no more', () => {
  expect(
    withSetCookies('sid=old; theme=dark', [
      writeCookie('sid', '', { maxAgeSeconds: 0, secure: false }),
    ]),
  ).toBe('theme=dark')
})

test('without new cookies nothing changes', () => {
  expect(withSetCookies(undefined, [])).toBeUndefined()
})

test('over https a cookie that decides something is taken from this very host alone', () => {
  const set = writeCookie(hostCookieName('sid', true), 'secret', {
    maxAgeSeconds: null,
    secure: true,
    httpOnly: true,
  })
  expect(set).toBe('__Host-sid=secret; Path=/; SameSite=Lax; HttpOnly; Secure')
  expect(readCookie('sid=planted', hostCookieName('sid', true))).toBeNull()
  expect(hostCookieName('sid', false)).toBe('sid')
})

test('a cookie under the name of an earlier release is good until there is one under its own', () => {
  expect(readHostCookie('theme=dark', 'theme')).toBe('dark')
  expect(readHostCookie('theme=dark; __Host-theme=light', 'theme')).toBe('light')
  expect(readHostCookie('sid=1', 'theme')).toBeNull()
})
