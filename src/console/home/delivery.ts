import { shareOf, timesUpTo, type Figures } from '#features/office/figure/rules.ts'
import type { FigureTexts } from '#features/office/figure/views.ts'

/** Ends of the columns, in seconds. */
const ENDS = [5, 15, 30, 60, 120, 300, 900, 3_600] as const
/** Up to here a delivery is quick; from here on it is late. */
const QUICK = 30
const LATE = 300

export interface Column {
  readonly label: string
  readonly look: 'quick' | 'slow' | 'late'
  /** For drawing alone. */
  readonly share: number
  readonly text: string
  readonly units: string
}

/** How long deliveries took, in columns. */
export interface DeliveryView {
  readonly units: string
  readonly columns: readonly Column[]
  readonly sentence: string
}

export function deliveryView(
  { times }: Figures,
  { t, share, count, shortDuration }: FigureTexts,
): DeliveryView | null {
  const found = timesUpTo(times, ENDS)
  const all = found.reduce((sum, units) => sum + units, 0)
  if (all === 0) return null
  const part = (units: number) => shareOf(BigInt(units), BigInt(all)) ?? 0
  const upTo = (end: number) =>
    found.reduce((sum, units, column) => ((ENDS[column] ?? Infinity) <= end ? sum + units : sum), 0)
  return {
    units: t('console.home.units', { shown: count(all), count: all }),
    columns: found.map((units, column) => {
      const end = ENDS[column]
      return {
        label:
          end === undefined
            ? t('console.home.above', { time: shortDuration(ENDS.at(-1) ?? 0) })
            : shortDuration(end),
        look: end === undefined || end > LATE ? 'late' : end > QUICK ? 'slow' : 'quick',
        share: part(units) / 10_000,
        text: share(Math.round(part(units) / 100) * 100),
        units: count(units),
      }
    }),
    sentence: t('console.home.deliverySentence', {
      share: share(part(upTo(QUICK))),
      time: shortDuration(QUICK),
      late: share(part(all - upTo(LATE))),
      longest: shortDuration(LATE),
    }),
  }
}
