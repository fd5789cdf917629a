import { listShown, type ShownSupplier } from '#features/office/supplier-service/queries.ts'
import { listBrandPaces, listSupplierStates } from '#features/office/supplier/queries.ts'
import { breakerOf } from '#features/office/supplier/rules.ts'
import { TROUBLE_FROM } from '#features/supply/routing/rules.ts'
import { findWaiting } from '#features/team/approval/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'
import { ago, balanceTexts, lookOf, paceTexts, type BalanceText } from '../suppliers/state-of.ts'
import { loadBooks, type BooksView } from './books.ts'
import { loadCatalogue, type CatalogueView } from './catalogue.ts'
import { loadRouting, type RoutingView } from './routing.ts'

export const ONE_VIEWS = ['overview', 'catalogue', 'routing', 'books'] as const
export type OneView = (typeof ONE_VIEWS)[number]

export interface OverviewView {
  readonly view: 'overview'
  readonly figures: readonly { readonly name: string; readonly value: string }[]
  readonly balances: readonly BalanceText[]
  readonly brands: readonly (ReturnType<typeof paceTexts> & {
    readonly code: string
    readonly name: string
    readonly count: number
  })[]
  readonly service: Pick<ShownSupplier, 'source' | 'lacking' | 'settings' | 'version' | 'tried'>
  readonly account: string | null
  readonly set: { readonly at: string; readonly by: string } | null
  readonly webhook: string | null
  readonly waits: boolean
  readonly mayChange: boolean
}

export interface SupplierData {
  readonly code: string
  readonly look: StateLook
  readonly state: string
  readonly why: string | null
  readonly mode: string | null
  /** Buying there has begun once; before, there is nothing but settings. */
  readonly isKnown: boolean
  readonly isOn: boolean
  readonly isStopped: boolean
  readonly rests: boolean
  readonly mayManage: boolean
  readonly jumps: number
  readonly shown: OverviewView | CatalogueView | RoutingView | BooksView
}

export async function load(context: ConsoleContext): Promise<Loaded<SupplierData>> {
  const { ctx, t, params, query, supplying } = context
  const code = params['code'] ?? ''
  const [states, services] = [
    await listSupplierStates(ctx.db, ctx.now(), code),
    await listShown(ctx.db, ctx.keys, supplying.environment),
  ]
  const [state] = states
  const service = services.find((known) => known.code === code)
  if (!state && !service) throw new AppError('not_found')
  const named = query.get('view')
  const view = state ? (ONE_VIEWS.find((known) => known === named) ?? 'overview') : 'overview'
  const mode = service?.mode ?? null
  return {
    title: code,
    data: {
      code,
      ...(state && supplying.suppliers.has(code)
        ? lookOf(context, state)
        : { look: 'gone', state: t('console.money.notSetUp'), why: null }),
      mode: mode && t(`console.money.mode.${mode}`),
      isKnown: state !== undefined,
      isOn: state?.status === 'on',
      isStopped: state?.isStopped ?? false,
      rests: state?.restsUntil !== null && (state?.restsUntil ?? ctx.now()) > ctx.now(),
      mayManage: mayDo(ctx.operator, 'system.manage'),
      jumps: state?.work.jumps ?? 0,
      shown:
        view === 'catalogue'
          ? await loadCatalogue(context, code)
          : view === 'routing'
            ? await loadRouting(context, code)
            : view === 'books'
              ? await loadBooks(context, code)
              : await loadOverview(context, code, state, service),
    },
  }
}

type State = Awaited<ReturnType<typeof listSupplierStates>>[number]

async function loadOverview(
  context: ConsoleContext,
  code: string,
  state: State | undefined,
  service: ShownSupplier | undefined,
): Promise<OverviewView> {
  const { ctx, language, timeZone, paying, supplying } = context
  const money = await moneyTexts(context)
  const brands = state ? await listBrandPaces(ctx.db, ctx.now(), code) : []
  const setAt = service?.setAt ?? null
  const takesNotices = supplying.suppliers.get(code)?.readNotice !== undefined
  return {
    view: 'overview',
    figures: state ? figuresOf(context, state) : [],
    balances: state ? balanceTexts(context, money, state) : [],
    brands: brands.map((brand) => ({
      code: brand.brand,
      name: brand.name,
      count: brand.done + brand.failed,
      ...paceTexts(context, brand),
    })),
    service: {
      source: service?.source ?? 'none',
      lacking: service?.lacking ?? [],
      settings: service?.settings ?? [],
      version: service?.version ?? 0,
      tried: service?.tried ?? null,
    },
    account: service?.account ?? null,
    set: setAt && {
      at: formatShortMoment(language.code, setAt, timeZone),
      by: actorName(service?.setBy ?? ''),
    },
    webhook: takesNotices ? `${paying.publicUrl}/api/webhook/${code}` : null,
    waits: (await findWaiting(ctx.db, 'supplier_service', code, ctx.now())) !== null,
    mayChange: mayDo(ctx.operator, 'supplier.change'),
  }
}

function figuresOf(context: ConsoleContext, state: State): OverviewView['figures'] {
  const { t, ctx, supplying } = context
  const [day, before] = [paceTexts(context, state.day), paceTexts(context, state.before)]
  const limits = supplying.suppliers.get(state.code)?.capabilities.limits
  const against = (now: string, then: string) =>
    then === '–' ? now : `${now} (${t('console.suppliers.before', { value: then })})`
  return [
    {
      name: t('console.supplier.breaker'),
      value: t(`console.supplier.breaker.${breakerOf(state, ctx.now(), TROUBLE_FROM)}`),
    },
    { name: t('console.suppliers.p50'), value: against(day.p50, before.p50) },
    { name: t('console.suppliers.p95'), value: against(day.p95, before.p95) },
    { name: t('console.suppliers.share'), value: against(day.share, before.share) },
    { name: t('console.suppliers.view.waiting'), value: String(state.queued) },
    { name: t('console.supplier.underWay'), value: String(state.open) },
    { name: t('console.suppliers.view.doubts'), value: String(state.work.doubts) },
    ...(limits
      ? [
          {
            name: t('console.supplier.rate'),
            value: t('console.supplier.rateText', {
              concurrent: String(limits.concurrent),
              rate: String(limits.perSecond),
            }),
          },
        ]
      : []),
    { name: t('console.money.lastNotice'), value: ago(context, state.noticedAt) },
  ]
}
