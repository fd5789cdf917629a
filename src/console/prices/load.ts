import { listCurrencies, listHeldRates } from '#features/goods/currency/queries.ts'
import { namesOfGoods } from '#features/goods/editing/queries.ts'
import { listCodes, listRulesInOrder } from '#features/office/pricing/queries.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { formatBasisPoints, formatShortMoment } from '#platform/i18n/format.ts'
import { supplierName } from '../kit/supplier-name.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { loadLevels, type LevelsView } from './levels.ts'
import { loadOwn, type OwnView } from './own.ts'
import { loadRates, type RatesView } from './rates.ts'
import { loadRounding, type RoundingView } from './rounding.ts'
import type { Places } from './trying.tsx'
import { isPriceView, type PriceViewName } from './views.ts'

export interface RuleRow {
  readonly id: string
  readonly scope: {
    readonly brand: string | null
    readonly supplier: string | null
    readonly region: string | null
    readonly currency: string | null
  }
  /** What of that is called, in the operator's language. */
  readonly names: Readonly<Record<'brand' | 'supplier' | 'region' | 'currency', string | null>>
  readonly points: number
  readonly margin: string
  readonly from: string
  readonly until: string | null
  readonly by: string
  readonly state: 'in_force' | 'to_come' | 'over'
}

export interface RulesView {
  readonly view: 'rules'
  readonly rules: readonly RuleRow[]
  /** Codes that a rule may name. */
  readonly known: Readonly<Record<'brand' | 'supplier' | 'region' | 'currency', readonly string[]>>
}

export interface PricesData {
  readonly held: number
  readonly mayChange: boolean
  readonly places: Places
  readonly shown: RulesView | RatesView | RoundingView | LevelsView | OwnView
}

const LOADS: Readonly<
  Record<PriceViewName, (context: ConsoleContext) => Promise<PricesData['shown']>>
> = {
  rules: loadRules,
  rates: loadRates,
  rounding: loadRounding,
  levels: loadLevels,
  own: loadOwn,
}

export async function load(context: ConsoleContext): Promise<Loaded<PricesData>> {
  const { ctx, t, query } = context
  const named = query.get('view')
  const view = isPriceView(named) ? named : 'rules'
  const [shown, held, currencies] = await Promise.all([
    LOADS[view](context),
    listHeldRates(ctx.db),
    listCurrencies(ctx.db),
  ])
  return {
    title: t('console.prices.nav'),
    data: {
      held: held.length,
      mayChange: mayDo(ctx.operator, 'price.change'),
      places: Object.fromEntries(currencies.map((one) => [one.code, one.minorUnits])),
      shown,
    },
  }
}

async function loadRules({ ctx, language, timeZone }: ConsoleContext): Promise<RulesView> {
  const codes = async (table: 'brand' | 'supplier' | 'region' | 'currency') =>
    (await listCodes(ctx.db, table)).toSorted()
  const [rules, brand, supplier, region, currency] = await Promise.all([
    listRulesInOrder(ctx.db, ctx.now()),
    codes('brand'),
    codes('supplier'),
    codes('region'),
    codes('currency'),
  ])
  const moment = (at: Date) => formatShortMoment(language.code, at, timeZone)
  const named = rules.flatMap((rule) =>
    (['brand', 'region'] as const).flatMap((subject) => {
      const code = rule[subject]
      return code === null ? [] : [{ subject, code }]
    }),
  )
  const goods = await namesOfGoods(ctx.db, named, language.code)
  return {
    view: 'rules',
    known: { brand, supplier, region, currency },
    rules: rules.map((rule) => ({
      id: rule.id,
      scope: {
        brand: rule.brand,
        supplier: rule.supplier,
        region: rule.region,
        currency: rule.currency,
      },
      names: {
        brand: rule.brand && (goods.get(`brand ${rule.brand}`) ?? rule.brand),
        supplier: rule.supplier && supplierName(rule.supplier),
        region: rule.region && (goods.get(`region ${rule.region}`) ?? rule.region),
        currency: rule.currency,
      },
      points: rule.basisPoints,
      margin: formatBasisPoints(language.code, rule.basisPoints),
      from: moment(rule.validFrom),
      until: rule.validUntil && moment(rule.validUntil),
      by: actorName(rule.createdBy),
      state: rule.state,
    })),
  }
}
