import { expect, test } from 'vitest'
import { addressOf, documentOf, itemCodeOf, newItem, type Draft } from './draft.ts'

const draft: Draft = {
  makes: 'brand',
  name: 'Sun Card',
  brand: 'sun-card',
  isBrandTyped: false,
  kind: 'gift_card',
  delivery: 'card_key',
  unit: '',
  categories: ['cards'],
  region: 'us',
  product: '',
  currency: 'USD',
  faceCurrency: '',
  items: [{ ...newItem('value'), figure: '10', price: '9,5', stock: '3' }],
  brandFacts: {},
  productFacts: {},
}
const digits = new Map([
  ['USD', 2],
  ['JPY', 0],
])

test('a draft is said as a folder says a brand', () => {
  expect(documentOf(draft, digits)).toEqual({
    code: 'sun-card',
    kind: 'gift_card',
    name: 'Sun Card',
    delivery: 'card_key',
    categories: ['cards'],
    products: [
      {
        code: 'sun-card-us',
        region: 'us',
        currency: 'USD',
        face_currency: 'USD',
        items: [
          { code: 'card:sun-card:us:10', kind: 'value', face: '10.00', price: '9.50', stock: 3 },
        ],
      },
    ],
  })
})

test('what is no amount is sent as it was typed', () => {
  const items = [{ ...newItem('value'), figure: 'ten', price: '9,999', stock: 'many' }]
  expect(documentOf({ ...draft, makes: 'items', product: 'sun-card-us', items }, digits)).toEqual({
    code: 'sun-card',
    products: [
      {
        code: 'sun-card-us',
        items: [
          {
            code: 'card:sun-card:us:',
            kind: 'value',
            face: 'ten',
            price: '9,999',
            stock: 'many',
          },
        ],
      },
    ],
  })
})

test('addresses and codes are made of names and figures', () => {
  expect(addressOf('Pokémon GO: Coins!')).toBe('pokemon-go-coins')
  expect(addressOf('原神')).toBe('')
  const plan = { ...newItem('plan'), figure: '30', name: 'Month' }
  expect(itemCodeOf({ ...draft, kind: 'subscription' }, plan)).toBe('card:sun-card:us:plan-30d')
  const edition = { ...newItem('edition'), name: 'Deluxe Edition' }
  expect(itemCodeOf({ ...draft, kind: 'game_key' }, edition)).toBe(
    'key:sun-card:us:edition-deluxe-edition',
  )
})
