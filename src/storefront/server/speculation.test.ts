import { expect, test } from 'vitest'
import { ROUTES, type Route } from '../routes.ts'
import { isAhead, isSparing, SPECULATION_RULES } from './speculation.ts'

interface Rules {
  readonly prefetch: readonly { readonly where: { readonly href_matches: readonly string[] } }[]
}

/** Node's URLPattern reads paths as a browser does. */
const patterns = (JSON.parse(SPECULATION_RULES) as Rules).prefetch
  .flatMap((rule) => rule.where.href_matches)
  .map((pathname) => new URLPattern({ pathname }))
const isMatched = (path: string) => patterns.some((pattern) => pattern.test({ pathname: path }))

test('public pages are made ready in every language', () => {
  for (const path of ['/', '/de', '/cards', '/zh-tw/cards/steam-us', '/game/genshin', '/reviews'])
    expect(isMatched(path), path).toBe(true)
})

test('nothing of a person, nothing that leads away or acts, is fetched before anybody asks', () => {
  const personal = (ROUTES as readonly Route[]).filter(({ access }) => access !== undefined)
  expect(personal.length).toBeGreaterThan(20)
  for (const { path } of personal) {
    const asked = path.replace(/\/:\w+\?/g, '')
    for (const at of [asked, `/ar${asked}`]) expect(isMatched(at), at).toBe(false)
  }
  for (const path of [
    '/redirect',
    '/language_currency',
    '/api/goods/index',
    '/sandbox/mail',
    '/user/link/google',
  ])
    expect(isMatched(path), path).toBe(false)
})

test('who saves data or is on a slow net is spared, and who has not come yet is known', () => {
  expect(isSparing({ 'save-data': 'on' })).toBe(true)
  expect(isSparing({ ect: '2g' })).toBe(true)
  expect(isSparing({ ect: 'slow-2g' })).toBe(true)
  expect(isSparing({ ect: '4g' })).toBe(false)
  expect(isSparing({})).toBe(false)
  expect(isAhead({ 'sec-purpose': 'prefetch;prerender' })).toBe(true)
  expect(isAhead({ 'sec-purpose': 'prefetch' })).toBe(true)
  expect(isAhead({})).toBe(false)
})
