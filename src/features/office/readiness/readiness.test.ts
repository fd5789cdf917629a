import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { readMessages } from '#platform/i18n/messages.ts'
import { countOpen, READY_LINES, readyLines, type MachineFacts, type ShopFacts } from './rules.ts'

const SHOP: ShopFacts = {
  missing: [],
  hasGoods: true,
  hasStock: true,
  hasBeenPaid: true,
  hasSentMail: true,
  owners: [
    { name: 'mara', hasFactor: true },
    { name: 'bao', hasFactor: true },
  ],
  isToldOfTrouble: true,
  staleRates: [],
  makesInvoices: true,
}
const MACHINE: MachineFacts = {
  isHttps: true,
  hasMailServer: true,
  waysToPay: 1,
  backup: { isMade: true, isRestored: true },
}

/** Names of what is open. */
const openOf = (shop: Partial<ShopFacts>, machine: Partial<MachineFacts> = {}) =>
  readyLines({ ...SHOP, ...shop }, { ...MACHINE, ...machine })
    .filter(({ isDone }) => !isDone)
    .map(({ name, open }) => [name, ...open])

test('a shop that has everything is ready', () => {
  expect(countOpen(readyLines(SHOP, MACHINE))).toBe(0)
})

test('each fact opens its own line, with what of it is open', () => {
  expect(
    openOf({
      missing: [
        'shop.name',
        'shop.address',
        'sales-terms',
        "privacy-policy of its own instead of the demo's sample (en)" as never,
      ],
    }),
  ).toEqual([
    ['identity', 'shop.name', 'shop.address'],
    ['texts', 'sales-terms', "privacy-policy of its own instead of the demo's sample (en)"],
  ])
  expect(openOf({ hasGoods: false, hasStock: false })).toEqual([['goods'], ['keys']])
  expect(openOf({ hasBeenPaid: false }, { waysToPay: 0 })).toEqual([['pay'], ['paid']])
  expect(openOf({ hasSentMail: false }, { hasMailServer: false })).toEqual([['mail'], ['letter']])
  expect(openOf({ owners: [{ name: 'mara', hasFactor: false }] })).toEqual([
    ['factor', 'mara'],
    ['owners'],
  ])
  expect(openOf({}, { isHttps: false, backup: { isMade: false, isRestored: false } })).toEqual([
    ['https'],
    ['backup'],
    ['restore'],
  ])
  expect(openOf({ isToldOfTrouble: false, staleRates: ['ARS'], makesInvoices: false })).toEqual([
    ['alerts'],
    ['rates', 'ARS'],
    ['invoice'],
  ])
})

test('every line has its words in every language', () => {
  const wanted = READY_LINES.flatMap((name) =>
    ['done', 'open', 'text'].map((word) => `setting.ready.${name}.${word}`),
  ).toSorted()
  for (const language of LANGUAGE_CODES)
    expect(
      Object.keys(readMessages(language))
        .filter((key) => key.startsWith('setting.ready.'))
        .toSorted(),
    ).toEqual(wanted)
})
