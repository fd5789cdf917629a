import { expect, test } from 'vitest'
import { readChunks } from './assets.ts'

const MANIFEST = {
  'src/storefront/browser/entry.ts': { file: 'assets/entry.js', name: 'entry', isEntry: true },
  _react: { file: 'assets/react.js', name: 'react' },
  _life: {
    file: 'assets/life.js',
    name: 'life',
    imports: ['_react', 'src/storefront/browser/entry.ts'],
  },
  _product: { file: 'assets/product.js', name: 'product', imports: ['_life', '_react'] },
  _whole: { file: 'assets/whole.js', name: 'whole', imports: ['_life'] },
  _list: { file: 'assets/page-list.js', name: 'page-list' },
  _recharge: { file: 'assets/recharge.js', name: 'recharge', imports: ['_react'] },
  _cart: { file: 'assets/cart.js', name: 'shop-cart', imports: ['_react'] },
}

test('a page names every file it needs beside the entry, so that none waits for another', () => {
  expect(readChunks(MANIFEST, 'product', 'islands').sort()).toEqual([
    '/assets/life.js',
    '/assets/product.js',
    '/assets/react.js',
  ])
  expect(readChunks(MANIFEST, 'shop-cart', 'whole').sort()).toEqual([
    '/assets/cart.js',
    '/assets/life.js',
    '/assets/page-list.js',
    '/assets/react.js',
    '/assets/whole.js',
  ])
  expect(readChunks(MANIFEST, 'recharge', 'whole').sort()).toEqual([
    '/assets/life.js',
    '/assets/react.js',
    '/assets/recharge.js',
    '/assets/whole.js',
  ])
})

test('a still page needs nothing beside the entry', () => {
  expect(readChunks(MANIFEST, 'home', 'still')).toEqual([])
})

test('a page that the build does not know is a fault of the build, said at once', () => {
  expect(() => readChunks(MANIFEST, 'cashier', 'whole')).toThrow(/no chunk for cashier/)
})
