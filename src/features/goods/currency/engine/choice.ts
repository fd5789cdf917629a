import { RATE_SERVICES } from '#providers/rates/services.ts'
import {
  CATALOGUE_RATES,
  changeOf,
  US_DOLLAR,
  type DatedRate,
  type RateCandidate,
  type RateChoice,
  type RatePolicy,
} from '../rules.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The moment by which a source has published `count` times after a table of its own; null for a source that does not publish: what it
 * says stands until it says something else.
 */
export function publicationDue(source: string, publishedAt: Date, count: number): Date | null {
  const publishing = RATE_SERVICES.find(({ code }) => code === source)?.publishing
  if (!publishing) return null
  let day = new Date(Math.floor(publishedAt.getTime() / DAY_MS) * DAY_MS)
  for (let left = count; left > 0; ) {
    day = new Date(day.getTime() + DAY_MS)
    if (publishing.isDay(day)) left -= 1
  }
  return new Date(day.getTime() + publishing.dueHour * HOUR_MS)
}

/**
 * Until when a rate may be sold by. The US dollar needs none; a table that a catalogue folder brought is dated by its author, and a rate
 * by hand by whoever typed it: they stand until they are replaced.
 * @param days how many publications a source may leave out
 */
export function rateValidUntil(
  code: string,
  { source, observedAt, publishedAt }: DatedRate,
  { maxAgeHours, days }: { readonly maxAgeHours: number; readonly days: number },
): Date | null {
  if (code === US_DOLLAR.code || source.startsWith(`${CATALOGUE_RATES}:`)) return null
  return publishedAt === null
    ? new Date(observedAt.getTime() + maxAgeHours * HOUR_MS)
    : publicationDue(source, publishedAt, days + 1)
}

/**
 * The rate that is to be in force: of the first source that has one and is not silent, while a rate that jumps is held back, and the one
 * before it stands in. Of a silent source another takes the place, if it publishes as well; a table that does not age never does.
 * @param candidates the newest of each source
 */
export function chooseRate(
  candidates: readonly RateCandidate[],
  inForce: RateCandidate | null,
  order: readonly string[],
  policy: Pick<RatePolicy, 'staleDays' | 'stopDays' | 'jumpBasisPoints'>,
  now: Date,
): RateChoice {
  const held: RateCandidate[] = []
  let options = order.flatMap((source) => candidates.find((one) => one.source === source) ?? [])
  for (;;) {
    const best = firstFresh(options, policy, now)
    if (!best || !inForce || !jumpsFrom(inForce, best, policy)) return { chosen: best, held }
    held.push(best)
    const before = inForce.source === best.source ? [inForce] : []
    options = options.flatMap((one) => (one === best ? before : [one]))
  }
}

function firstFresh(
  options: readonly RateCandidate[],
  { staleDays, stopDays }: Pick<RatePolicy, 'staleDays' | 'stopDays'>,
  now: Date,
): RateCandidate | null {
  const [first] = options
  if (!first) return null
  if (publicationDue(first.source, first.publishedAt, 1) === null) return first
  const isWithin = (days: number, { source, publishedAt }: RateCandidate) => {
    const due = publicationDue(source, publishedAt, days + 1)
    return due !== null && due >= now
  }
  return (
    options.find((one) => isWithin(staleDays, one)) ??
    options.find((one) => isWithin(stopDays, one)) ??
    first
  )
}

function jumpsFrom(
  inForce: RateCandidate,
  rate: RateCandidate,
  { jumpBasisPoints }: Pick<RatePolicy, 'jumpBasisPoints'>,
): boolean {
  const isSame = rate.quoteId !== null && rate.quoteId === inForce.quoteId
  return (
    !isSame && !rate.isAccepted && changeOf(inForce.perUsd, rate.perUsd).isBeyond(jumpBasisPoints)
  )
}
