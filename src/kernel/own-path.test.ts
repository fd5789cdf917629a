import { expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

test.each([
  ['/', '/'],
  ['/cards/steam-us', '/cards/steam-us'],
  ['/search?keywords=a%20b&sort=new', '/search?keywords=a%20b&sort=new'],
  ['/de/cards?page=2', '/cards?page=2'],
  ['/zh-tw', '/'],
  ['/cards#top', '/cards'],
  ['/a/../cards', '/cards'],
  ['/cards/鋼鐵', '/cards/%E9%8B%BC%E9%90%B5'],
])('%s is the own path %s', (text, path) => {
  expect(ownPath(text)).toBe(path)
})

test.each([
  null,
  '',
  'cards',
  '//evil.example',
  '/\\evil.example',
  '/..//evil.example',
  '/de//evil.example',
  '/\t/evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '/a\nb',
  '\\\\evil.example',
  `/${'x'.repeat(3000)}`,
  '/\ud800',
])('%j is no own path', (text) => {
  expect(ownPath(text)).toBeNull()
})

test('an absolute address counts where it is the shop itself', () => {
  expect(ownPath('https://shop.example/de/cards?page=2', 'https://shop.example')).toBe(
    '/cards?page=2',
  )
  expect(ownPath('https://shop.example.evil.example/', 'https://shop.example')).toBeNull()
  expect(ownPath('https://shop.example@evil.example/', 'https://shop.example')).toBeNull()
  expect(ownPath('https://shop.example/cards')).toBeNull()
})

test.each([
  ['/cards?token=abc&page=2', '/cards?page=2'],
  ['/cards?token=abc', '/cards'],
  ['/cards?TOKEN=abc&Key=1&code=2&state=3&ticket=4&sort=new', '/cards?sort=new'],
  ['/cards?%74oken=abc&tok%65n=abc', '/cards'],
  ['/cards?&&page=2&', '/cards?page=2'],
  ['/order/detail?order=abc&token=x#token=y', '/order/detail?order=abc'],
  ['/support/details?code=refund&token=x', '/support/details?code=refund'],
  ['/de/support/details/?code=refund', '/support/details?code=refund'],
  [
    '/language_currency?redirect=%2Fcards%3Ftoken%3Dabc%26page%3D2',
    '/language_currency?redirect=%2Fcards%3Fpage%3D2',
  ],
  [
    '/language_currency?redirect=/language_currency?redirect=%2Fcards%3Ftoken%3Dabc',
    '/language_currency?redirect=%2Flanguage_currency%3Fredirect%3D%252Fcards',
  ],
])('%s goes on without its secrets as %s', (text, path) => {
  expect(ownPath(text)).toBe(path)
})

test('who changes the language at the sign-in page stays there, who signs in is not led back to it', () => {
  expect(ownPath('/de/login?redirect=%2Fcards%3Ftoken%3Dx')).toBeNull()
  expect(ownPath('/de/login?redirect=%2Fcards%3Ftoken%3Dx', undefined, { mayPass: true })).toBe(
    '/login?redirect=%2Fcards',
  )
  expect(ownPath('/api/user/logout', undefined, { mayPass: true })).toBeNull()
})

test('only pages that exist count where they are known', () => {
  const isPage = (path: string) => path === '/cards' || path === '/'
  expect(ownPath('/de/cards/?page=2', undefined, { isPage })).toBe('/cards?page=2')
  expect(ownPath('/%63ards', undefined, { isPage })).toBe('/cards')
  expect(ownPath('/cards/steam-us', undefined, { isPage })).toBeNull()
})

test('the answer is short, and giving it again changes nothing', () => {
  expect(ownPath(`/cards?x=${'a'.repeat(2_000)}`)?.length).toBe(2_009)
  expect(ownPath(`/cards?x=${'鋼'.repeat(1_000)}`)).toBeNull()
})
