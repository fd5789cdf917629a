import { listShown } from '#features/office/supplier-service/queries.ts'
import {
  listSupplierStates,
  needsOf,
  type SupplierState,
} from '#features/office/supplier/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { moneyTexts } from '../kit/money.ts'
import type { StateLook } from '../kit/state.tsx'
import type { ConsoleContext, Loaded } from '../page.ts'
import { ago, balanceTexts, lookOf, paceTexts, type BalanceText } from './state-of.ts'
import { loadRule, type RuleView } from './rule.ts'
import { isSupplierView, type SupplierView } from './views.ts'
import {
  loadCases,
  loadDifferences,
  loadDoubts,
  loadInvoices,
  loadWaiting,
  type CasesView,
  type DifferencesView,
  type DoubtsView,
  type InvoicesView,
  type WaitingView,
} from './work.ts'

export interface SupplierRow {
  readonly code: string
  readonly look: StateLook
  readonly state: string
  readonly why: string | null
  /** Whether it is known here at all: what is not set up stands at the end. */
  readonly isSetUp: boolean
  readonly mode: string | null
  readonly needs: number
  readonly offers: number
  readonly queued: number
  readonly doubts: number
  readonly day: ReturnType<typeof paceTexts>
  readonly before: ReturnType<typeof paceTexts>
  readonly balances: readonly BalanceText[]
  readonly noticed: string
  readonly synced: string
  readonly compared: string
}

export interface AllView {
  readonly view: 'all'
  readonly rows: readonly SupplierRow[]
}

export interface SuppliersData {
  readonly counts: Readonly<Partial<Record<SupplierView, number>>>
  readonly needs: number
  readonly mayDecide: boolean
  readonly mayNote: boolean
  readonly shown:
    | AllView
    | DoubtsView
    | WaitingView
    | CasesView
    | DifferencesView
    | InvoicesView
    | RuleView
}

export async function load(context: ConsoleContext): Promise<Loaded<SuppliersData>> {
  const { ctx, query, t } = context
  const named = query.get('view')
  const view = isSupplierView(named) ? named : 'all'
  const states = await listSupplierStates(ctx.db, ctx.now())
  const sum = (of: keyof SupplierState['work']) =>
    states.reduce((total, { work }) => total + work[of], 0)
  return {
    title: t('console.suppliers.nav'),
    data: {
      counts: {
        doubts: sum('doubts'),
        waiting: sum('held'),
        cases: sum('cases'),
        differences: sum('differences'),
        invoices: sum('invoices'),
      },
      needs: states.reduce((total, state) => total + needsOf(state), 0),
      mayDecide: mayDo(ctx.operator, 'order.decide'),
      mayNote: mayDo(ctx.operator, 'payment.note'),
      shown: await shownBy(context, view, states),
    },
  }
}

function shownBy(
  context: ConsoleContext,
  view: SupplierView,
  states: readonly SupplierState[],
): Promise<SuppliersData['shown']> {
  switch (view) {
    case 'all':
      return loadAll(context, states)
    case 'doubts':
      return loadDoubts(context)
    case 'waiting':
      return loadWaiting(context)
    case 'cases':
      return loadCases(context)
    case 'differences':
      return loadDifferences(context)
    case 'invoices':
      return loadInvoices(context)
    case 'rule':
      return loadRule(context)
    default:
      return view satisfies never
  }
}

async function loadAll(
  context: ConsoleContext,
  states: readonly SupplierState[],
): Promise<AllView> {
  const { ctx, t, supplying } = context
  const [money, services] = [
    await moneyTexts(context),
    await listShown(ctx.db, ctx.keys, supplying.environment),
  ]
  const modeOf = (code: string) => {
    const mode = services.find((service) => service.code === code)?.mode
    return mode ? t(`console.money.mode.${mode}`) : null
  }
  const known = states.map((state) => rowOf(context, money, state, modeOf(state.code)))
  const more = services.filter(({ code }) => !states.some((state) => state.code === code))
  return {
    view: 'all',
    rows: [
      ...known.filter(({ isSetUp }) => isSetUp),
      ...known.filter(({ isSetUp }) => !isSetUp),
      ...more.map(({ code }) => ({ ...NOT_SET_UP, code, state: t('console.money.notSetUp') })),
    ],
  }
}

const NOTHING = { p50: '–', p95: '–', share: '–' }
const NOT_SET_UP = {
  look: 'gone',
  why: null,
  isSetUp: false,
  mode: null,
  needs: 0,
  offers: 0,
  queued: 0,
  doubts: 0,
  day: NOTHING,
  before: NOTHING,
  balances: [],
  noticed: '–',
  synced: '–',
  compared: '–',
} as const

function rowOf(
  context: ConsoleContext,
  money: (minor: bigint, currency: string) => string,
  state: SupplierState,
  mode: string | null,
): SupplierRow {
  const isSetUp = context.supplying.suppliers.has(state.code)
  return {
    code: state.code,
    ...(isSetUp
      ? lookOf(context, state)
      : { look: 'gone', state: context.t('console.money.notSetUp'), why: null }),
    isSetUp,
    mode,
    needs: needsOf(state),
    offers: state.offers,
    queued: state.queued,
    doubts: state.work.doubts,
    day: paceTexts(context, state.day),
    before: paceTexts(context, state.before),
    balances: balanceTexts(context, money, state),
    noticed: ago(context, state.noticedAt),
    synced: ago(context, state.syncedAt),
    compared: ago(context, state.comparedAt),
  }
}
