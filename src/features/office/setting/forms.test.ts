import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { readMessages } from '#platform/i18n/messages.ts'
import { SETTING_FIELDS } from './engine/fields.ts'
import { problemsOf } from './engine/faults.ts'
import { FILE_FORMAT, fileOf, readFile } from './engine/file.ts'
import { PLACES } from './engine/places.ts'
import { fieldsOfKey } from './engine/fields.ts'
import { SETTINGS } from './schema.ts'

const settingOf = (key: string) => {
  const setting = SETTINGS.find((known) => known.key === key)
  if (!setting) throw new Error(`no setting ${key}`)
  return setting
}

/** What is wrong with a row, at its fields. */
function faults(key: string, row: unknown) {
  const parsed = settingOf(key).schema.safeParse(row)
  return parsed.success ? [] : problemsOf(fieldsOfKey(key), row, parsed.error)
}

test('every part of every setting has a place in the form, and no place is of none', () => {
  expect(SETTING_FIELDS.map(({ path }) => path).toSorted()).toEqual(Object.keys(PLACES).toSorted())
  expect(new Set(SETTING_FIELDS.map(({ key }) => key))).toEqual(
    new Set(SETTINGS.map(({ key }) => key)),
  )
})

test('every part has a name and an explanation in every language, and nothing else has', () => {
  const paths = SETTING_FIELDS.map(({ path }) => path)
  const wanted = paths.flatMap((path) => [`setting.name.${path}`, `setting.text.${path}`])
  for (const language of LANGUAGE_CODES) {
    const texts = Object.keys(readMessages(language)).filter((key) =>
      /^setting\.(?:name|text)\./.test(key),
    )
    expect(texts.toSorted(), language).toEqual(wanted.toSorted())
  }
})

test('what forms say of columns, effects and defaults has its words', () => {
  const english = readMessages('en')
  const keys = SETTING_FIELDS.flatMap(({ columns, effect, standardName, group }) => [
    ...columns.map(({ name }) => `setting.column.${name}`),
    `setting.effect.${effect}`,
    `setting.group.${group}`,
    ...(standardName === null ? [] : [`setting.standard.${standardName}`]),
  ])
  expect(keys.filter((key) => english[key] === undefined)).toEqual([])
})

test('a field is made for the kind of its value', () => {
  const kinds = Object.fromEntries(SETTING_FIELDS.map(({ path, kind }) => [path, kind]))
  expect(kinds).toMatchObject({
    'shop.name': 'line',
    'shop.mail_signature': 'text',
    'shop.support_hours': 'hours',
    'shop.footer': 'groups',
    'shop.social': 'rows',
    'shop.home_footer': 'switch',
    shop_currency: 'currency',
    payment_methods: 'elsewhere',
    'alerts.language': 'choice',
    'alerts.webhook_secret': 'secret',
    'alerts.webhook': 'line',
    'invoice.address': 'lines',
    refund_second_person_minor: 'money',
    low_stock_days: 'number',
    'late_delivery.refund_after_hours': 'number',
    'prices.floor': 'cells',
    'prices.charm': 'record',
    'exchange_rates.spread_basis_points': 'record',
    'supply_routing.loss_basis_points': 'percent',
    'supply_routing.loss_usd_minor': 'usd',
    'delivery_gate.limits': 'rows',
  })
  const asJson = Object.entries(kinds).flatMap(([path, kind]) => (kind === 'json' ? [path] : []))
  expect(asJson).toEqual(['prices.levels', 'exchange_rates.currencies'])
})

test('what is wrong is told at the field that it is typed in', () => {
  expect(faults('shop', { name: '' })).toEqual([{ field: 'shop.name', reason: 'required' }])
  expect(faults('shop', { support_email: 'nobody' })).toEqual([
    { field: 'shop.support_email', reason: 'email_format' },
  ])
  expect(faults('shop', { support_hours: { from: '9', to: '18:00' } })[0]).toMatchObject({
    field: 'shop.support_hours',
  })
  expect(faults('shop', { social: [{ code: 'x', name: 'X', link: 'http://x.com' }] })).toEqual([
    { field: 'shop.social.0.link', reason: 'not_allowed' },
  ])
  expect(faults('low_stock_days', 'many')).toEqual([
    { field: 'low_stock_days', reason: 'number_between', params: { min: 0, max: 365 } },
  ])
  expect(faults('supply_routing', { loss_basis_points: 20_000 })).toEqual([
    {
      field: 'supply_routing.loss_basis_points',
      reason: 'number_between',
      params: { min: 0, max: 100 },
    },
  ])
  expect(faults('exchange_rates', { stale_days: 9, stop_days: 2 })).toEqual([
    { field: 'exchange_rates.stale_days', reason: 'not_together' },
  ])
  expect(faults('alerts', { webhook: 'https://a.example/x' })).toEqual([
    { field: 'alerts.webhook_secret', reason: 'required' },
  ])
})

test('a file has everything but secrets, and comes back as it was', () => {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  const alerts = { email: 'a@shop.example', webhook_secret: secret, language: 'de' }
  const rows = new Map<string, unknown>([
    ['alerts', alerts],
    ['low_stock_days', 7],
  ])
  const text = fileOf(rows)
  expect(text).not.toContain('whsec_')
  const { changes, faults: wrong } = readFile(text, rows)
  expect(wrong).toEqual([])
  expect(changes.map(({ before, after }) => [before, after])).toEqual([
    [alerts, expect.objectContaining(alerts)],
    [7, 7],
  ])
})

test('each fault of a file is told by its line', () => {
  const lines = [
    '{',
    `  "format": "${FILE_FORMAT}",`,
    '  "settings": {',
    '    "shop": {',
    '      "name": "Corner",',
    '      "support_email": "nobody"',
    '    },',
    '    "colour": "red",',
    '    "low_stock_days": 9000',
    '  }',
    '}',
  ]
  const of = (text: string) =>
    readFile(text, new Map()).faults.map(({ line, kind, key }) => [line, kind, key])
  expect(of(lines.join('\n'))).toEqual([
    [6, 'value', 'shop'],
    [8, 'unknown', 'colour'],
    [9, 'value', 'low_stock_days'],
  ])
  expect(of(lines.toSpliced(7, 1, '    colour: red,').join('\n'))).toEqual([[8, 'json', '']])
  expect(of('[1, 2]')).toEqual([[1, 'format', '']])
  expect(of('{"format": "x", "settings": {}}')).toEqual([[1, 'format', '']])
  expect(of('')).toEqual([[1, 'json', '']])
  expect(of('['.repeat(100_000))).toEqual([[1, 'json', '']])
})
