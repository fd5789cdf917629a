import { countOpenLines } from '#features/buying/bank-transfer/queries.ts'
import { countDifferences } from '#features/buying/reconciliation/queries.ts'
import { countUnmatched } from '#features/buying/unmatched-payment/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { loadBank, type BankView } from './bank.ts'
import { loadMethods, type MethodsView } from './methods.ts'
import { loadLedger, type LedgerView } from './ledger.ts'
import {
  loadDifferences,
  loadProviders,
  loadUnmatched,
  type DifferencesView,
  type ProvidersView,
  type UnmatchedView,
} from './providers.ts'
import { loadTax, type TaxView } from './tax.ts'
import { isMoneyView, MONEY_VIEWS, type MoneyViewName } from './views.ts'

export interface MoneyData {
  readonly views: readonly MoneyViewName[]
  readonly counts: Readonly<Partial<Record<MoneyViewName, number>>>
  readonly mayNote: boolean
  readonly shown:
    | ProvidersView
    | MethodsView
    | BankView
    | UnmatchedView
    | DifferencesView
    | LedgerView
    | TaxView
}

const LOADS: Readonly<
  Record<MoneyViewName, (context: ConsoleContext) => Promise<MoneyData['shown']>>
> = {
  providers: loadProviders,
  methods: loadMethods,
  bank: loadBank,
  unmatched: loadUnmatched,
  differences: loadDifferences,
  tax: loadTax,
  ledger: loadLedger,
}

export async function load(context: ConsoleContext): Promise<Loaded<MoneyData>> {
  const { ctx, query, t } = context
  const views = MONEY_VIEWS.filter(
    (view) => (view !== 'ledger' && view !== 'tax') || mayDo(ctx.operator, 'ledger.read'),
  )
  const named = query.get('view')
  const view = isMoneyView(named) && views.includes(named) ? named : 'providers'
  const [shown, bank, unmatched, differences] = await Promise.all([
    LOADS[view](context),
    countOpenLines(ctx.db),
    countUnmatched(ctx.db),
    countDifferences(ctx.db),
  ])
  return {
    title: t('console.money.nav'),
    data: {
      views,
      counts: { bank, unmatched, differences },
      mayNote: mayDo(ctx.operator, 'payment.note'),
      shown,
    },
  }
}
