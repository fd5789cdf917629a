import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { getLanguage, LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import { formatMoment, formatMoney } from '#platform/i18n/format.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { readPdfText } from '../../../../../test/support/pdf-text.ts'
import type { ReceiptContent } from '../rules.ts'
import { drawReceipt } from './draw.ts'
import { createTypeface } from './typeface.ts'

const AT = new Date('2026-11-22T03:15:00Z')
const readJson = (...path: string[]): unknown =>
  JSON.parse(readFileSync(join(PROJECT_ROOT, ...path), 'utf8'))
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** Every text that the catalogue has in a language, but for its articles, which nobody buys. */
function catalogueTexts(language: LanguageCode): string[] {
  if (language === 'en')
    return ['games.json', 'regions.json', 'countries.json', 'units.json'].flatMap((file) =>
      textsIn(readJson('catalogue', file)),
    )
  const { article: _, ...names } = readJson(
    'catalogue',
    'translations',
    `${language}.json`,
  ) as Record<string, unknown>
  return [
    ...textsIn(names),
    ...textsIn(readJson('catalogue', 'translations', 'phrases', `${language}.json`)),
  ]
}

function prices(language: LanguageCode): string[] {
  const { currencies } = readJson('catalogue', 'currencies.json') as {
    currencies: { code: string; minor_units: number }[]
  }
  return currencies.flatMap(({ code, minor_units: digits }) =>
    [123_456_789n, -50n].map((minor) => formatMoney(language, code, minor, digits, digits)),
  )
}

/** Pictures among a text, of which a receipt has none. */
const PICTURE = /[\p{Extended_Pictographic}\ufe0f]/u
const INVISIBLE = /[\s\u200b-\u200f\u061c\u2066-\u2069]/u

test.each(LANGUAGE_CODES)(
  'everything that a receipt may say in %s can be drawn',
  async (language) => {
    const months = Array.from({ length: 12 }, (_, month) =>
      formatMoment(language, new Date(Date.UTC(2026, month, 7, 15, 4)), 'Europe/Berlin'),
    )
    const words = [
      ...textsIn(readJson('locales', language, 'order.json')),
      ...textsIn(readJson('locales', language, 'cashier.json')),
    ]
    const texts = [...words, ...catalogueTexts(language), ...prices(language), ...months]
    const face = await createTypeface(language, texts)
    const missing = new Set<string>()
    for (const char of new Set(texts.flatMap((text) => [...text.normalize('NFC')]))) {
      if (PICTURE.test(char) || INVISIBLE.test(char)) continue
      for (const weight of [400, 700] as const)
        if (face.runsOf(char, weight).length === 0) missing.add(char)
    }
    expect([...missing]).toEqual([])
  },
)

function contentIn(language: LanguageCode): ReceiptContent {
  const t = translatorOf(language)
  const money = (minor: bigint) => formatMoney(language, 'USD', minor, 2, 2)
  const [goods = 'Steam Wallet Code', detail = 'United States'] = catalogueTexts(language).filter(
    (text) => text.length > 6 && text.length < 30,
  )
  return {
    language,
    shop: 'Lukado',
    title: t('order.receipt.title', { number: '4821300947165' }),
    seller: ['Lukado Ltd.', '12 Main St., Dublin', 'shop.example'],
    facts: [
      { label: t('order.number'), value: '4821300947165' },
      { label: t('order.receipt.paid'), value: formatMoment(language, AT, 'UTC') },
    ],
    buyer: { label: t('order.receipt.buyer'), lines: ['Ada Lovelace', 'ada@example.com'] },
    columns: {
      goods: t('order.receipt.goods'),
      quantity: t('order.receipt.quantity'),
      price: t('order.receipt.price'),
      total: t('order.receipt.amount'),
    },
    lines: [{ name: goods, detail, quantity: '2', price: money(1_099n), total: money(2_198n) }],
    sums: [
      { label: t('order.items'), value: money(2_198n) },
      { label: t('order.total'), value: money(2_198n), isStrong: true },
    ],
    notes: [t('order.receipt.note')],
  }
}

const bare = (text: string) => text.normalize('NFC').replaceAll(/[\s\u200b-\u200f\u061c]/g, '')

test.each(LANGUAGE_CODES)(
  'a receipt in %s says all of it as text, small and with its language told',
  async (language) => {
    const content = contentIn(language)
    const pdf = await drawReceipt(content, AT)
    expect(pdf.length).toBeLessThan(200_000)
    const told = readPdfText(pdf)
    expect(told).toMatchObject({ language: getLanguage(language).tag, title: content.title })
    const wanted = [
      content.title,
      ...content.seller,
      ...content.facts.flatMap(({ label, value }) => [label, value]),
      content.buyer.label,
      ...content.buyer.lines,
      ...Object.values(content.columns),
      ...content.lines.flatMap(({ name, detail, price }) => [name, detail, price]),
      ...content.sums.flatMap(({ label, value }) => [label, value]),
      ...content.notes,
    ]
    for (const text of wanted) expect(told.actual).toContain(text)
    const glyphs = told.stretches.flat()
    expect(glyphs).not.toContain('?')
    expect(
      [...new Set(bare(wanted.join('')))].filter(
        (char) => !glyphs.join('').normalize('NFC').includes(char),
      ),
    ).toEqual([])
    // Glyphs of Hindi and Burmese stand in the order in which they are seen.
    if (language === 'hi' || language === 'my') return
    const written = bare(
      told.stretches
        .map((stretch) =>
          (stretch.some((glyph) => /\p{Script=Arabic}/u.test(glyph))
            ? stretch.toReversed()
            : stretch
          ).join(''),
        )
        .join(''),
    )
    for (const text of [content.columns.goods, content.columns.price, content.sums[1]?.label ?? ''])
      expect(written).toContain(bare(text))
  },
)

/** What of a page is said to be a picture. */
const picturesOf = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/\/Alt \((.*?)\)/g)].map(([, alt]) => alt)

test('a receipt begins with the logo, that of another shop with its name in type', async () => {
  const own = await drawReceipt(contentIn('en'), AT)
  expect(picturesOf(own)).toEqual(['Lukado'])
  expect(readPdfText(own).actual).not.toContain('Lukado')
  const other = await drawReceipt({ ...contentIn('ar'), shop: 'متجر البطاقات' }, AT)
  expect(picturesOf(other)).toEqual([])
  expect(readPdfText(other).actual[0]).toBe('متجر البطاقات')
})

test('a receipt has the colours of the shop: a band below its name, and its head in its ink', async () => {
  const plain = await drawReceipt(contentIn('en'), AT)
  const themed = await drawReceipt(contentIn('en'), AT, { ink: '#0000ff', accent: '#ff0000' })
  const fills = (pdf: Buffer) =>
    new Set(
      streamsOf(pdf).flatMap((stream) =>
        [...stream.matchAll(/([\d.]+ [\d.]+ [\d.]+) scn/g)].map(([, colour]) => colour),
      ),
    )
  expect(fills(themed)).toContain('1 0 0')
  expect(fills(themed)).toContain('0 0 1')
  expect(fills(plain)).not.toContain('1 0 0')
  expect(readPdfText(themed).actual).toEqual(readPdfText(plain).actual)
})

/** What PDFKit has deflated, as far as it is text. */
function streamsOf(pdf: Buffer): string[] {
  const file = pdf.toString('latin1')
  return [...file.matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, body = '']) => {
    try {
      return [inflateSync(Buffer.from(body, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
}
