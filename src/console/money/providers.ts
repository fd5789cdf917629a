import { listDifferences } from '#features/buying/reconciliation/queries.ts'
import { listShown } from '#features/office/payment-service/queries.ts'
import { listUnmatched } from '#features/buying/unmatched-payment/queries.ts'
import { listProviders, type ProviderState } from '#features/office/books/queries.ts'
import { formatDuration, formatShortMoment } from '#platform/i18n/format.ts'
import { formatPercent } from '#platform/i18n/percent.ts'
import { providerName } from '../kit/provider-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext } from '../page.ts'

export interface ProvidersView {
  readonly view: 'providers'
  readonly rows: readonly {
    readonly code: string
    readonly name: string
    /** Whether its money is real, in words; null where that is not told. */
    readonly mode: string | null
    readonly look: StateLook
    readonly state: string
    /** What the provider answered last where asking it fails. */
    readonly failure: string | null
    readonly lastNotice: string
    readonly open: string
    readonly received: readonly string[]
    /** What share of the payments that were begun was paid, of a day and of a week. */
    readonly shares: readonly string[]
    readonly available: readonly string[]
    /** How long ago that was told; null where it was not. */
    readonly availableAge: string | null
    readonly compared: string | null
    readonly unmatched: number
    readonly differences: number
  }[]
}

export interface UnmatchedView {
  readonly view: 'unmatched'
  readonly rows: readonly {
    readonly id: string
    readonly provider: string
    readonly reference: string
    readonly amount: string
    readonly found: string
  }[]
}

export interface DifferencesView {
  readonly view: 'differences'
  readonly rows: readonly {
    readonly id: string
    readonly kind: 'refunded_elsewhere' | 'captured_less' | 'not_comparable'
    readonly order: string
    readonly provider: string
    readonly told: string
    readonly toldMinor: string
    readonly known: string
    readonly found: string
  }[]
}

const LISTED = 500
const DAY_MS = 86_400_000
const OPEN_COUNTED = 1_000

export async function loadProviders(context: ConsoleContext): Promise<ProvidersView> {
  const { ctx, language, timeZone } = context
  const now = ctx.now()
  const { environment, providers } = context.paying
  const [services, states, money] = await Promise.all([
    listShown(ctx.db, ctx.keys, environment),
    listProviders(ctx.db, [...providers.keys()], new Date(now.getTime() - DAY_MS)),
    moneyTexts(context),
  ])
  // What the program knows and nobody has set up yet stands at the end.
  const more = services.filter(({ code }) => !states.some(({ provider }) => provider === code))
  const modes = new Map(services.map(({ code, mode }) => [code, mode]))
  const modeOf = (code: string) => {
    const mode = modes.get(code)
    return mode ? context.t(`console.money.mode.${mode}`) : null
  }
  const ago = (at: Date | null) =>
    at === null ? '–' : formatDuration(language.code, (now.getTime() - at.getTime()) / 1_000)
  return {
    view: 'providers',
    rows: [...states, ...more.map(({ code }) => notAsked(code))].map((state) => ({
      code: state.provider,
      name: providerName(context.t, state.provider),
      mode: modeOf(state.provider),
      ...stateOf(context, state, providers.has(state.provider)),
      failure: state.failures > 0 ? state.failure : null,
      lastNotice: ago(state.lastNoticeAt),
      open: state.open >= OPEN_COUNTED ? `${OPEN_COUNTED}+` : String(state.open),
      received: state.received.map(({ minor, currency }) => money(minor, currency)),
      shares: sharesOf(context, state),
      available:
        state.balance?.available.map(({ minor, currency }) => money(minor, currency)) ?? [],
      availableAge: state.balance && ago(state.balance.toldAt),
      compared: state.comparedTo && formatShortMoment(language.code, state.comparedTo, timeZone),
      unmatched: state.unmatched,
      differences: state.differences,
    })),
  }
}

const notAsked = (provider: string): ProviderState => ({
  provider,
  open: 0,
  lastNoticeAt: null,
  noticesWaiting: 0,
  comparedTo: null,
  failures: 0,
  failure: null,
  askedAt: null,
  unmatched: 0,
  differences: 0,
  received: [],
  standing: null,
  balance: null,
})

function sharesOf({ t, language }: ConsoleContext, { standing }: ProviderState): string[] {
  if (!standing) return []
  const { begunDay, paidDay, begunWeek, paidWeek } = standing
  const share = (paid: number, begun: number) =>
    begun === 0 ? '–' : formatPercent(language.code, paid / begun)
  return [
    t('console.money.shareDay', { share: share(paidDay, begunDay) }),
    t('console.money.shareWeek', { share: share(paidWeek, begunWeek) }),
  ]
}

export function stateOf(
  { t }: ConsoleContext,
  { failures, unmatched, differences }: ProviderState,
  isSetUp: boolean,
): { readonly look: StateLook; readonly state: string } {
  if (!isSetUp) return { look: 'gone', state: t('console.money.notSetUp') }
  if (failures > 0)
    return { look: 'badge bad', state: t('console.money.failing', { count: failures }) }
  if (unmatched + differences > 0) return { look: 'badge warn', state: t('console.money.needsYou') }
  return { look: 'done', state: t('console.system.healthy') }
}

export async function loadUnmatched(context: ConsoleContext): Promise<UnmatchedView> {
  const { ctx, language, timeZone } = context
  const [unmatched, money] = await Promise.all([listUnmatched(ctx.db, LISTED), moneyTexts(context)])
  return {
    view: 'unmatched',
    rows: unmatched.map(({ publicId, provider, reference, amount, foundAt }) => ({
      id: publicId,
      provider: providerName(context.t, provider),
      reference,
      amount: money(amount.minor, amount.currency),
      found: formatShortMoment(language.code, foundAt, timeZone),
    })),
  }
}

export async function loadDifferences(context: ConsoleContext): Promise<DifferencesView> {
  const { ctx, language, timeZone } = context
  const [differences, money] = await Promise.all([
    listDifferences(ctx.db, LISTED),
    moneyTexts(context),
  ])
  return {
    view: 'differences',
    rows: differences.map((each) => ({
      id: each.publicId,
      kind: each.kind,
      order: each.orderNumber,
      provider: providerName(context.t, each.provider),
      told: money(each.toldMinor, each.currency),
      toldMinor: each.toldMinor.toString(),
      known: money(each.knownMinor, each.currency),
      found: formatShortMoment(language.code, each.foundAt, timeZone),
    })),
  }
}
