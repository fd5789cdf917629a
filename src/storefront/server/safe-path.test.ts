import { expect, test } from 'vitest'
import { ROUTES } from '../routes.ts'
import { safePath } from './safe-path.ts'

test.each([
  ['/de/cards/steam-us?item=2#top', '/cards/steam-us?item=2'],
  ['/user/order?type=2', '/user/order?type=2'],
  ['https://shop.example/ar/search?keywords=a%20b&token=x', '/search?keywords=a%20b'],
  ['/no-such-page', '/'],
  ['/cards/steam-us/more', '/'],
  ['/login?redirect=/cards', '/'],
  ['//evil.example', '/'],
  ['https://evil.example/cards', '/'],
  [null, '/'],
])('%s leads on to %s', (text, path) => {
  expect(safePath(text, 'https://shop.example')).toBe(path)
})

test('every page of the shop but those on the way in and out can be led back to, in any language', () => {
  const lost = ROUTES.map(({ path }) => path.replace(/:\w+\??/g, 'x')).filter(
    (path) => safePath(`/ja${path}`) !== path,
  )
  expect(lost.sort()).toEqual([
    '/loading/x',
    '/login',
    '/login/bind',
    '/middle',
    '/redirect',
    '/register',
  ])
})
