import { expect, test } from 'vitest'
import { translatorOf } from '#platform/i18n/messages.ts'
import { orderFilters } from './order.ts'

const at = (query: string) =>
  orderFilters({ query: new URLSearchParams(query), t: translatorOf('en') }).links

test('without a filter all orders are shown', () => {
  const { states, kinds, isFiltered } = at('')
  expect(states.map(({ text, current }) => [text, current ?? false])).toEqual([
    ['All', true],
    ['Unpaid', false],
    ['Pending shipment', false],
    ['Completed', false],
    ['After-sales', false],
  ])
  expect(kinds.map(({ path }) => path)).toEqual([
    '/user/order?kind=card',
    '/user/order?kind=direct',
  ])
  expect(isFiltered).toBe(false)
})

test('state and kind go together, and the chosen kind leads to the list without it', () => {
  const { states, kinds } = at('status=completed&kind=card')
  expect(states.map(({ path }) => path)).toEqual([
    '/user/order?kind=card',
    '/user/order?status=unpaid&kind=card',
    '/user/order?status=pending&kind=card',
    '/user/order?status=completed&kind=card',
    '/user/order?status=after-sales&kind=card',
  ])
  expect(kinds.map(({ path, current }) => [path, current ?? false])).toEqual([
    ['/user/order?status=completed', true],
    ['/user/order?status=completed&kind=direct', false],
  ])
})

test('what is no filter filters nothing', () => {
  expect(at('status=x&kind=y').isFiltered).toBe(false)
})
