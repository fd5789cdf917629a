import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

const plain = {}

test.each([
  ['/en/cards', '/cards'],
  ['/en', '/'],
  ['/en/', '/'],
  ['/cards/', '/cards'],
  ['/de/', '/de'],
  ['/de/cards/?sort=new', '/de/cards?sort=new'],
  ['/en/cards?a=%2F', '/cards?a=%2F'],
  ['/en/cards?token=secret', '/cards'],
  ['/cards/?page=2&%74oken=secret&sort=new', '/cards?page=2&sort=new'],
])('%s leads for good to %s', (target, to) => {
  expect(readAddress(target, plain)).toEqual({ kind: 'redirect', to, status: 308 })
})

test.each([
  ['/', { cookie: 'i18n_redirected=ja', acceptLanguage: 'de' }, '/ja'],
  ['/', { acceptLanguage: 'de-DE,en;q=0.5' }, '/de'],
  ['/?utm=x', { acceptLanguage: 'fr' }, '/fr?utm=x'],
  ['/news', { cookie: 'i18n_redirected=ar' }, '/ar/news'],
  ['/?token=secret', { acceptLanguage: 'fr' }, '/fr'],
])('%s follows the visitor: %j → %s', (target, headers, to) => {
  expect(readAddress(target, headers)).toMatchObject({ kind: 'redirect', to, status: 302 })
})

test('a language that was taken from the browser is said to be, one of the cookie is not', () => {
  const detected = (headers: { cookie?: string; acceptLanguage?: string }) =>
    (readAddress('/', headers) as { detected?: string }).detected
  expect(detected({ acceptLanguage: 'de-DE,en;q=0.5' })).toBe('de')
  expect(detected({ cookie: 'i18n_redirected=ja', acceptLanguage: 'de' })).toBeUndefined()
})

test.each([
  ['/', { cookie: 'i18n_redirected=en', acceptLanguage: 'de' }],
  ['/', {}],
  ['/news', { acceptLanguage: 'de' }],
  ['/cards', { cookie: 'i18n_redirected=de', acceptLanguage: 'de' }],
])('%s stays where it is for %j', (target, headers) => {
  expect(readAddress(target, headers)).toMatchObject({
    kind: 'page',
    path: target,
    language: { code: 'en' },
  })
})

test.each([
  '/%',
  '/%ff%fe',
  '//evil.example/',
  '/cards//x',
  '/..%2f..',
  '/a%00b',
  '/\\evil',
  '/de/../en',
  `/${'x'.repeat(5000)}`,
])('%s names no page', (target) => {
  expect(readAddress(target, plain)).toMatchObject({ kind: 'page', path: null })
})

test('no target ever leads to another host', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webPath(),
        fc.string().map((text) => `/${text}`),
        fc.webPath().map((path) => `/en/${path}/`),
      ),
      (target) => {
        const address = readAddress(target, { acceptLanguage: 'de' })
        if (address.kind === 'redirect')
          expect(new URL(address.to, 'https://shop.example').origin).toBe('https://shop.example')
      },
    ),
    { numRuns: 2_000 },
  )
})
