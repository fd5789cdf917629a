import { listHeldRates, listRates } from '#features/goods/currency/queries.ts'
import { rateText } from '#features/goods/currency/rules.ts'
import { listRateHistory } from '#features/office/pricing/queries.ts'
import { formatBasisPoints, formatShortMoment } from '#platform/i18n/format.ts'
import type { ConsoleContext } from '../page.ts'

export interface RateRow {
  readonly currency: string
  readonly perUsd: string
  readonly source: string
  readonly published: string
  readonly since: string
  readonly spread: string
  readonly state: 'stopped' | 'old' | 'used'
  /** When nothing is sold by it any more; null for one that stands. */
  readonly stops: string | null
}

export interface HeldRow {
  readonly id: string
  readonly currency: string
  readonly source: string
  readonly perUsd: string
  readonly inForce: string
  readonly change: string
  readonly published: string
}

export interface RatesView {
  readonly view: 'rates'
  readonly rates: readonly RateRow[]
  readonly held: readonly HeldRow[]
  readonly history: {
    readonly currency: string
    readonly points: readonly {
      readonly at: string
      readonly perUsd: string
      readonly source: string
    }[]
  } | null
}

/** Without the zeros at its end. */
const shown = (text: string) => text.replace(/\.?0+$/, '')
const ORDER = { stopped: 0, old: 1, used: 2 } as const

export async function loadRates({
  ctx,
  language,
  timeZone,
  query,
}: ConsoleContext): Promise<RatesView> {
  const currency = /^[A-Z]{3}$/.exec(query.get('currency') ?? '')?.[0] ?? null
  const [rates, held, points] = await Promise.all([
    listRates(ctx.db),
    listHeldRates(ctx.db),
    currency === null ? [] : listRateHistory(ctx.db, currency),
  ])
  const now = ctx.now()
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  const stateOf = (staleAt: Date | null, stopsAt: Date | null) =>
    stopsAt !== null && stopsAt < now
      ? 'stopped'
      : staleAt !== null && staleAt < now
        ? 'old'
        : 'used'
  const rows = rates.map(
    (rate): RateRow => ({
      currency: rate.currency,
      perUsd: shown(rateText(rate.perUsd)),
      source: rate.source,
      published: moment(rate.publishedAt),
      since: moment(rate.inForceSince),
      spread: formatBasisPoints(language.code, rate.spreadBasisPoints),
      state: stateOf(rate.staleAt, rate.stopsAt),
      stops: rate.stopsAt && moment(rate.stopsAt),
    }),
  )
  return {
    view: 'rates',
    // What needs a person comes first.
    rates: rows.toSorted((one, other) => ORDER[one.state] - ORDER[other.state]),
    held: held.map((rate) => ({
      id: rate.id,
      currency: rate.currency,
      source: rate.source,
      perUsd: shown(rateText(rate.perUsd)),
      inForce: rate.inForce ? shown(rateText(rate.inForce)) : '–',
      change:
        rate.changeBasisPoints === null
          ? ''
          : `${rate.changeBasisPoints > 0n ? '+' : ''}${formatBasisPoints(language.code, Number(rate.changeBasisPoints))}`,
      published: moment(rate.publishedAt),
    })),
    history:
      currency === null
        ? null
        : {
            currency,
            points: points.map(({ at, perUsd, source }) => ({
              at: moment(at),
              perUsd: shown(perUsd),
              source,
            })),
          },
  }
}
