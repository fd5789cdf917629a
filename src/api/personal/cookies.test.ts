import { expect, test } from 'vitest'
import { createCookies } from './cookies.ts'

test('over https every cookie is of this host alone, and none of an earlier release stays behind', () => {
  const cookies = createCookies('__Host-sid=old; signed_in=window', true)
  cookies.renewSession('new')
  expect(cookies.written()).toEqual([
    '__Host-sid=new; Path=/; SameSite=Lax; HttpOnly; Secure',
    '__Host-signed_in=window; Path=/; SameSite=Lax; Secure',
    'signed_in=; Path=/; Max-Age=0; SameSite=Lax; Secure',
  ])
  const ended = createCookies('__Host-sid=old; __Host-signed_in=1', true)
  ended.endSession()
  expect(ended.written().map((cookie) => cookie.split(';')[0])).toEqual([
    '__Host-sid=',
    '__Host-signed_in=',
  ])
})

test('over plain http, where browsers refuse the prefix, the names are plain', () => {
  const cookies = createCookies('sid=old; signed_in=1', false)
  cookies.renewSession('new')
  expect(cookies.written()).toEqual([
    'sid=new; Path=/; Max-Age=7776000; SameSite=Lax; HttpOnly',
    'signed_in=1; Path=/; Max-Age=7776000; SameSite=Lax',
  ])
})
