import fc from 'fast-check'
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
  null, '', 'cards', '//evil.example', '/\\evil.example', '/..//evil.example', '/de//evil.example', '/\t/evil.example', 'https://evil.example/',
  'javascript:alert(1)', 'data:text/html,x', '/a\nb', '\\\\evil.example', `/${'x'.repeat(3000)}`, '/\ud800',
])('%j is no own path', (text) => {
  expect(ownPath(text)).toBeNull()
})

test('an absolute address counts where it is the shop itself', () => {
  expect(ownPath('https://shop.example/de/cards?page=2', 'https://shop.example')).toBe('/cards?page=2')
  expect(ownPath('https://shop.example.evil.example/', 'https://shop.example')).toBeNull()
  expect(ownPath('https://shop.example@evil.example/', 'https://shop.example')).toBeNull()
  expect(ownPath('https://shop.example/cards')).toBeNull()
})

test('whatever is given, the answer stays on this host', () => {
  const pieces = fc.array(fc.constantFrom('/', '\\', '.', '..', '//', 'de', 'evil.example', '@', ':', '?', '#', '%2f', '\t', 'https:', 'javascript:'), { maxLength: 8 }).map((list) => list.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), pieces, pieces.map((text) => `/${text}`)), (text) => {
      const path = ownPath(text)
      if (path === null) return
      expect(path.startsWith('/')).toBe(true)
      expect(new URL(path, 'https://shop.example').origin).toBe('https://shop.example')
    }),
    { numRuns: 3_000 },
  )
})
