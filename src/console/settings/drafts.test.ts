import { expect, test } from 'vitest'
import { SETTING_FIELDS } from '#features/office/setting/engine/fields.ts'
import { SETTINGS } from '#features/office/setting/schema.ts'
import { draftOf, valueOf } from './drafts.ts'
import type { FieldData } from './shown.ts'

const places = (code: string) => (code === 'JPY' ? 0 : 2)

/** A field as the page has it, without its words. */
function fieldOf(path: string): FieldData {
  const field = SETTING_FIELDS.find((known) => known.path === path)
  if (!field) throw new Error(`no setting ${path}`)
  const worded = (options: readonly string[]) => options.map((value) => ({ value, text: value }))
  return {
    ...field,
    name: path,
    text: '',
    standardText: null,
    options: worded(field.options),
    columns: field.columns.map((column) => ({
      ...column,
      text: column.name,
      options: worded(column.options),
    })),
    value: null,
    isSet: false,
    version: '',
    changed: null,
    former: [],
  }
}

test('every example of every setting is typed as it is written', () => {
  let typed = 0
  for (const { key, example } of SETTINGS)
    for (const { path, part, kind } of SETTING_FIELDS.filter((field) => field.key === key)) {
      const value = part === null ? example : (example as Record<string, unknown>)[part]
      if (value === undefined || kind === 'elsewhere' || kind === 'secret') continue
      const field = fieldOf(path)
      expect([path, valueOf(field, draftOf(field, value, places), places)]).toEqual([path, value])
      typed += 1
    }
  expect(typed).toBeGreaterThan(30)
})

test('the footer is typed as rows with their heading, and is groups again', () => {
  const field = fieldOf('shop.footer')
  const footer = [
    { title: 'Shop', list: [{ title: 'Cards', link: '/cards' }] },
    {
      title: 'Help',
      list: [
        { title: 'Support', link: '/support' },
        { title: 'News', link: '/news' },
      ],
    },
  ]
  const draft = draftOf(field, footer, places)
  expect(draft).toHaveLength(3)
  expect(valueOf(field, draft, places)).toEqual(footer)
})

test('what is no number stays as it was typed, so that the shop can refuse it', () => {
  expect(valueOf(fieldOf('low_stock_days'), 'many', places)).toBe('many')
  expect(valueOf(fieldOf('low_stock_days'), ' 7 ', places)).toBe(7)
  expect(valueOf(fieldOf('supply_routing.loss_basis_points'), '2,5', places)).toBe(250)
  expect(valueOf(fieldOf('supply_routing.loss_basis_points'), '0', places)).toBe(0)
  expect(valueOf(fieldOf('supply_routing.loss_basis_points'), '2.555', places)).toBe('2.555')
  expect(valueOf(fieldOf('prices.levels'), '{"1": ', places)).toBe('{"1":')
})

test('amounts follow the places of their currency, and nothing is the default', () => {
  const field = fieldOf('refund_second_person_minor')
  expect(valueOf(field, { amount: '500', currency: 'JPY' }, places)).toEqual({
    minor: 500,
    currency: 'JPY',
  })
  expect(valueOf(field, { amount: '50.5', currency: 'EUR' }, places)).toEqual({
    minor: 5_050,
    currency: 'EUR',
  })
  expect(valueOf(field, { amount: '', currency: '' }, places)).toBeNull()
  expect(draftOf(field, 5_000, places)).toEqual({ amount: '50', currency: 'USD' })
  expect(valueOf(fieldOf('shop.name'), '  ', places)).toBeNull()
})
