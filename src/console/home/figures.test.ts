import { expect, test } from 'vitest'
import type { Point, Series } from '#features/office/figure/queries.ts'
import { NO_FIGURES, type Figures } from '#features/office/figure/rules.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { ConsoleContext } from '../page.ts'
import { chartView } from './chart-view.ts'
import { deliveryView } from './delivery.ts'
import { figureTexts } from '#features/office/figure/views.ts'
import { tilesOf } from './tiles.ts'

const DOLLARS = { code: 'USD', places: 2, perDollar: { minor: 100n, dollars: 1n } }
const texts = (code: LanguageCode = 'en', shop = DOLLARS) =>
  figureTexts(
    { language: getLanguage(code), t: translatorOf(code), timeZone: 'UTC' } as ConsoleContext,
    new Map([['USD', 2]]),
    shop,
  )

const figures = (some: Partial<Figures>): Figures => ({ ...NO_FIGURES, ...some })
const points = (month: string, ...sales: readonly bigint[]): Point[] =>
  sales.map((sales_usd, index) => ({
    begins: new Date(`2026-${month}-0${index + 1}T00:00:00Z`),
    figures: figures({ sales_usd }),
  }))
const series: Series = {
  now: points('11', 310_000n, 690_000n, 20_050n),
  before: points('10', 1n, 2n, 3n),
  reachedAt: null,
  isBehind: false,
}

test('a chart tells its first, last and highest point, and that the last is not over', () => {
  const chart = chartView(series, { period: '7', show: 'sales' }, texts())
  expect(chart.sentence).toBe(
    'Sales: $3,100 at first (1 Nov), $200.50 at last (3 Nov), highest $6,900 (2 Nov)',
  )
  expect(chart.labels).toEqual(['1 Nov', '2 Nov', '3 Nov'])
  expect(chart.moments.at(chart.running)).toBe('3 Nov, so far')
  expect([chart.from, chart.ticks[0]?.text]).toEqual([0, '0'])
  expect(chart.lines.map(({ look }) => look)).toEqual(['sales', 'before'])
})

test('hours of today that are still to come have their place and no figures', () => {
  const hours = {
    ...series,
    now: series.now.slice(0, 1),
    before: points('10', 1n, 2n, 3n),
  }
  const chart = chartView(hours, { period: 'today', show: 'orders' }, texts())
  expect(chart.lines[0]?.values).toEqual([0, null, null])
  expect(chart.lines[0]?.texts).toEqual(['0', '–', '–'])
  expect(chart.moments).toHaveLength(3)
})

test('a chart of nothing has an axis and a sentence', () => {
  const none = { ...series, now: [], before: [] }
  const chart = chartView(none, { period: '30', show: 'time' }, texts())
  expect(chart.to).toBe(1)
  expect(chart.sentence).toContain('–')
})

test('what is better is told so, whatever its sign', () => {
  const now = figures({
    sales_usd: 20_000n,
    refunded_usd: 200n,
    refunds: 1n,
    begun: 10n,
    begun_paid: 9n,
    times: [0, 0, 4],
  })
  const before = figures({
    sales_usd: 10_000n,
    refunded_usd: 200n,
    begun: 10n,
    begun_paid: 9n,
    times: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4],
  })
  const tiles = Object.fromEntries(
    tilesOf({ now, before }, texts()).map(({ show, value, change }) => [show, [value, change]]),
  )
  expect(tiles['sales']).toEqual(['$200.00', { text: '+100%', look: 'up' }])
  expect(tiles['refunds']).toEqual(['1%', { text: '−1 pt', look: 'up' }])
  expect(tiles['paid']).toEqual(['90%', { text: '0 pt', look: 'same' }])
  expect(tiles['time']).toEqual(['1s / 1s', { text: '−6s', look: 'up' }])
  expect(tiles['margin']).toEqual(['–', null])
})

test('columns add up to all units, and none are drawn of nothing', () => {
  const view = deliveryView(
    figures({ times: [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }),
    texts('de'),
  )
  expect(view?.units).toBe('4 Einheiten')
  expect(view?.columns.map(({ units }) => units)).toEqual([
    '3',
    '1',
    '0',
    '0',
    '0',
    '0',
    '0',
    '0',
    '0',
  ])
  expect(deliveryView(NO_FIGURES, texts())).toBeNull()
})

test('sums are told in the shop’s currency, by the rate of today', () => {
  const inEuro = texts('en', {
    code: 'EUR',
    places: 2,
    perDollar: { minor: 862_000n, dollars: 10_000n },
  })
  expect([inEuro.sum(10_000n), inEuro.sum(-1n), inEuro.sum(1_000_000n)]).toEqual([
    '€86.20',
    '−€0.01',
    '€8,620',
  ])
  expect(inEuro.drawn(10_000n)).toBe(86.2)
  const inYen = texts('en', { code: 'JPY', places: 0, perDollar: { minor: 150n, dollars: 1n } })
  expect(inYen.sum(1_234n)).toBe('¥1,851')
})
