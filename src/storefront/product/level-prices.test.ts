import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { moneyStyle } from './money-style.ts'
import type { ItemChoice } from './choices.ts'
import { atLevel } from './level-prices.tsx'

const money = moneyStyle('en', { code: 'USD', minorUnits: 2 }, 2)

function item(code: string, more: Partial<ItemChoice> = {}): ItemChoice {
  return {
    code,
    label: code,
    bonus: null,
    figure: null,
    extra: null,
    isWide: false,
    isFaceValue: true,
    unitPrice: null,
    price: '$10.00',
    minor: '1000',
    was: null,
    saving: null,
    limit: 99,
    stock: null,
    unavailable: null,
    ...more,
  }
}

const own = (code: string, minor: string, text: string, unitPrice: string | null = null) => ({
  item: code,
  price: { amount: '', minor, currency: 'USD', text },
  market_price: null,
  discount: 0,
  unit_price: unitPrice,
})
const gold = (...list: ReturnType<typeof own>[]) => ({
  level_name: 'Gold',
  title: 'Your price, Gold',
  list,
})

/** How the summary tells its price. */
const told = (item: ItemChoice | undefined) => renderToStaticMarkup(item?.level?.value)

test('a price of the level stands in the place of that for all, with its name and what others pay', () => {
  const [ten] = atLevel([item('10')], gold(own('10', '950', '$9.50', 'Gems: $0.95 per 100')), money)
  expect(ten).toMatchObject({
    price: '$9.50',
    minor: '950',
    isFaceValue: false,
    unitPrice: 'Gems: $0.95 per 100',
    // A comparison that was not there would take room.
    was: null,
    saving: null,
    level: { label: 'Your price, Gold', mark: 'Gold' },
  })
  expect(told(ten)).toBe('<s class="muted">$10.00</s> <bdi class="num">$9.50</bdi>')
})

test('what is saved is measured anew against what it was compared with', () => {
  const saving = { minor: '200', text: '$2.00', percent: '17%', off: '−17%' }
  const [ten] = atLevel(
    [item('10', { was: '$12.00', saving })],
    gold(own('10', '600', '$6.00')),
    money,
  )
  expect(ten).toMatchObject({
    was: '$12.00',
    saving: { minor: '600', text: '$6.00', percent: '50%', off: '−50%' },
  })
})

test('a level that pays more is not told that others pay less', () => {
  const [ten] = atLevel([item('10')], gold(own('10', '1100', '$11.00')), money)
  expect(told(ten)).toBe('<bdi class="num">$11.00</bdi>')
})

test('a level without a name is called by whose price it is, and what has no price of its own stays', () => {
  const answer = { ...gold(own('10', '950', '$9.50'), own('20', '1000', '$10.00')), level_name: '' }
  const shown = [item('10'), item('20'), item('30')]
  const [ten, ...others] = atLevel(shown, answer, money)
  expect(ten?.level?.mark).toBe('Your price, Gold')
  expect(others).toEqual(shown.slice(1))
})
