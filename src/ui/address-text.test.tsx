import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AddressText } from './address-text.tsx'

test('an address may break after its sign and after a slash, and nowhere else', () => {
  const drawn = (address: string) => renderToStaticMarkup(<AddressText>{address}</AddressText>)
  expect(drawn('pat@shopper.example')).toBe('<bdi>pat@<wbr/>shopper.example</bdi>')
  expect(drawn('store.example/account/key')).toBe(
    '<bdi>store.example/<wbr/>account/<wbr/>key</bdi>',
  )
  expect(drawn('Nintendo eShop')).toBe('<bdi>Nintendo eShop</bdi>')
})
