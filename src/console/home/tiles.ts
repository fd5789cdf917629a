import {
  changeOf,
  marginOf,
  quantile,
  shareOf,
  type Figures,
} from '#features/office/figure/rules.ts'
import type { FigureTexts } from '#features/office/figure/views.ts'
import { SHOWN, type Shown } from './shown.ts'

/** One figure of the period, with how it was in the one before. */
export interface Tile {
  readonly show: Shown
  readonly value: string
  /** Better or worse, whatever its sign; null where nothing is there to compare with. */
  readonly change: { readonly text: string; readonly look: 'up' | 'down' | 'same' } | null
  readonly note: string
  /** What belongs to it and is not in it. */
  readonly beside?: string | undefined
}

interface Sums {
  readonly now: Figures
  readonly before: Figures
}

const NONE = '–'

export function tilesOf(sums: Sums, texts: FigureTexts): Tile[] {
  return SHOWN.map((show) => ({ show, ...TILES[show](sums, texts) }))
}

type MakeTile = (sums: Sums, texts: FigureTexts) => Omit<Tile, 'show'>

/** Less than is told of a change. */
const TOO_LITTLE = 5

/** A change that is good when it goes up; `isBetter` of -1 when it goes down. */
function changed(
  by: number | null,
  text: (by: number) => string,
  isBetter: 1 | -1 = 1,
  least = TOO_LITTLE,
): Tile['change'] {
  if (by === null) return null
  const look = Math.abs(by) < least ? 'same' : by * isBetter > 0 ? 'up' : 'down'
  return { text: text(by), look }
}

const lessOf = (now: number | null, before: number | null) =>
  now === null || before === null ? null : now - before

const refundShare = ({ refunded_usd, sales_usd }: Figures) => shareOf(refunded_usd, sales_usd)

const TILES: Readonly<Record<Shown, MakeTile>> = {
  sales: ({ now, before }, { t, sum, change }) => ({
    value: sum(now.sales_usd),
    change: changed(changeOf(now.sales_usd, before.sales_usd), change),
    note: t('console.home.before', { value: sum(before.sales_usd) }),
    beside: now.fees_usd > 0n ? t('console.home.fees', { sum: sum(now.fees_usd) }) : undefined,
  }),
  margin: ({ now, before }, { t, sum, change, share }) => {
    const ofSales = shareOf(marginOf(now), now.costed_usd)
    const known = shareOf(now.costed, now.delivered)
    return {
      value: ofSales === null ? NONE : sum(marginOf(now)),
      change:
        before.costed === 0n || ofSales === null
          ? null
          : changed(changeOf(marginOf(now), marginOf(before)), change),
      note:
        ofSales === null
          ? t('console.home.costUnknown')
          : known !== null && known < 10_000
            ? t('console.home.costPartly', { share: share(ofSales), known: share(known) })
            : t('console.home.ofSales', { share: share(ofSales) }),
    }
  },
  orders: ({ now, before }, { t, count, change }) => ({
    value: count(now.paid),
    change: changed(changeOf(now.paid, before.paid), change),
    note: t('console.home.before', { value: count(before.paid) }),
  }),
  paid: ({ now, before }, { t, share, count, points }) => {
    const part = shareOf(now.begun_paid, now.begun)
    return {
      value: part === null ? NONE : share(part),
      change: changed(lessOf(part, shareOf(before.begun_paid, before.begun)), points),
      note: t('console.home.ofBegun', { shown: count(now.begun), count: Number(now.begun) }),
    }
  },
  time: ({ now, before }, { t, shortDuration, longer }) => {
    const [half, most] = [quantile(now.times, 0.5), quantile(now.times, 0.95)]
    const was = quantile(before.times, 0.5)
    return {
      value:
        half === null || most === null ? NONE : `${shortDuration(half)} / ${shortDuration(most)}`,
      change: changed(
        half === null || was === null ? null : Math.round(half) - Math.round(was),
        longer,
        -1,
        1,
      ),
      note: t('console.home.halfWithin'),
    }
  },
  refunds: ({ now, before }, { t, share, sum, count, points }) => {
    const part = refundShare(now)
    return {
      value: part === null ? sum(now.refunded_usd) : share(part),
      change: changed(lessOf(part, refundShare(before)), points, -1),
      note: t('console.home.refunds', {
        sum: sum(now.refunded_usd),
        shown: count(now.refunds),
        count: Number(now.refunds),
      }),
    }
  },
}
