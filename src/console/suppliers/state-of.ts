import type { SupplierState } from '#features/office/supplier/queries.ts'
import { healthOf, shareOf, type Pace } from '#features/office/supplier/rules.ts'
import { formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import { formatPercent } from '#platform/i18n/percent.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'

const LOOKS = {
  healthy: 'done',
  slow: 'pay',
  paused: 'badge warn',
  refuses: 'badge bad',
  stopped: 'badge warn',
  off: 'gone',
} as const

/** How a supplier goes, in a word and a mark. */
export function lookOf(
  { t, ctx, language, timeZone }: ConsoleContext,
  state: SupplierState,
): { readonly look: StateLook; readonly state: string; readonly why: string | null } {
  const health = healthOf(state, ctx.now())
  const until =
    state.restsUntil && (health === 'paused' || health === 'refuses')
      ? t('console.suppliers.until', {
          at: formatShortMoment(language.code, state.restsUntil, timeZone),
        })
      : null
  const why = [health === 'refuses' ? state.restsCode : null, until].filter((one) => one !== null)
  return {
    look: LOOKS[health],
    state: t(`console.suppliers.health.${health}`),
    why: why.length === 0 ? null : why.join(' · '),
  }
}

/** A pace in words: how long half and nearly all took, and what share came to something. */
export function paceTexts({ language }: Pick<ConsoleContext, 'language'>, pace: Pace) {
  const time = (ms: number | null) =>
    ms === null ? '–' : formatDuration(language.code, Math.max(1, Math.round(ms / 1_000)))
  const share = shareOf(pace)
  return {
    p50: time(pace.p50Ms),
    p95: time(pace.p95Ms),
    share: share === null ? '–' : formatPercent(language.code, share),
  }
}

/** How long ago something was; a dash where it never was. */
export function ago({ ctx, language }: ConsoleContext, at: Date | null): string {
  return at === null
    ? '–'
    : formatDuration(language.code, (ctx.now().getTime() - at.getTime()) / 1_000)
}

const HOUR_SECONDS = 3_600

export interface BalanceText {
  readonly amount: string
  /** For how long it is enough; null where nothing is spent. */
  readonly lasts: string | null
  readonly isLow: boolean
  /** What it differs by from the books; null where it does not, or nothing is booked. */
  readonly off: string | null
  readonly asked: string
}

export const balanceTexts = (
  context: ConsoleContext,
  money: (minor: bigint, currency: string) => string,
  { balances }: Pick<SupplierState, 'balances'>,
): BalanceText[] =>
  balances.map(({ availableMinor, currency, hours, isLow, offMinor, askedAt }) => ({
    amount: money(availableMinor, currency),
    lasts: hours === null ? null : formatDuration(context.language.code, hours * HOUR_SECONDS),
    isLow,
    off: offMinor === null || offMinor === 0n ? null : money(offMinor, currency),
    asked: ago(context, askedAt),
  }))
