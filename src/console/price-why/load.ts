import { listCurrencies } from '#features/goods/currency/queries.ts'
import { explainPrice } from '#features/goods/price/queries.ts'
import { valueText, type PriceStep } from '#features/goods/price/rules.ts'
import { findItems, type FoundItem } from '#features/office/pricing/queries.ts'
import { formatBasisPoints } from '#platform/i18n/format.ts'
import { stepName } from '../order/facts.ts'
import { moneyTexts } from '../kit/money.ts'
import { supplierName } from '../kit/supplier-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import type { Places } from '../prices/trying.tsx'

export interface WhyStep {
  readonly name: string
  /** What it does. */
  readonly by: string
  readonly value: string
  readonly link: string | null
}

export interface WhyData {
  readonly asked: {
    readonly item: string
    readonly currency: string
    readonly level: string
    readonly at: string
  }
  readonly places: Places
  /** Null where the shop has no price of it. */
  readonly answer: {
    readonly code: string
    readonly price: string | null
    readonly withheld: 'no_rate' | 'stale_rate' | 'below_floor' | null
    readonly steps: readonly WhyStep[]
  } | null
  /** What was meant, perhaps. */
  readonly found: readonly FoundItem[]
}

export async function load(context: ConsoleContext): Promise<Loaded<WhyData>> {
  const { ctx, query, t } = context
  const item = (query.get('item') ?? '').trim().slice(0, 160)
  const currency = /^[A-Z]{3}$/.exec(query.get('currency') ?? '')?.[0] ?? 'USD'
  const level = /^\d{1,3}$/.exec(query.get('level') ?? '')?.[0] ?? '0'
  const given = query.get('at') ?? ''
  const asked = Date.parse(given.endsWith('Z') ? given : `${given}Z`)
  const at = Number.isNaN(asked) ? ctx.now() : new Date(asked)
  const [explained, currencies, money] = await Promise.all([
    item === '' ? null : explainPrice(ctx.db, item, { currency, level: Number(level), at }),
    listCurrencies(ctx.db),
    moneyTexts(context),
  ])
  const found = explained || item === '' ? [] : await findItems(ctx.db, item)
  return {
    title: t('console.prices.why'),
    data: {
      asked: { item, currency, level, at: Number.isNaN(asked) ? '' : given },
      places: Object.fromEntries(currencies.map((one) => [one.code, one.minorUnits])),
      answer: explained && {
        code: explained.code,
        price: explained.priced.minor === null ? null : money(explained.priced.minor, currency),
        withheld: explained.priced.withheld,
        steps: told(context, explained.priced.steps, { item, currency, level, money }),
      },
      found,
    },
  }
}

interface Telling {
  readonly item: string
  readonly currency: string
  readonly level: string
  readonly money: (minor: bigint | string, currency: string) => string
}

/** The steps in words. What comes out is told in the currency that the price stands in by then. */
function told(
  context: ConsoleContext,
  steps: readonly PriceStep[],
  telling: Telling,
): readonly WhyStep[] {
  let currency = telling.currency
  return steps.map((step) => {
    if ('currency' in step) currency = step.currency
    if (step.kind === 'rate') currency = step.to
    const isWhole = step.value.denominator === 1n
    return {
      name: stepName(context.t, step.kind),
      value: isWhole
        ? telling.money(step.value.numerator, currency)
        : // What is not whole yet is told to the digit: rounding comes last.
          majorText(valueText(step.value), currency, telling),
      ...byOf(context, step, telling),
    }
  })
}

function majorText(text: string, currency: string, { money }: Telling): string {
  const [whole = '0', part = ''] = text.split('.')
  return `${money(whole, currency)}${part === '' ? '' : ' …'}`
}

/** What a step did, and where it is set. */
function byOf(
  { t, language }: ConsoleContext,
  step: PriceStep,
  { currency, money }: Telling,
): Pick<WhyStep, 'by' | 'link'> {
  const share = (points: number) => formatBasisPoints(language.code, points)
  const link = (path: string) => `/prices?view=${path}`
  switch (step.kind) {
    case 'cost':
      return { by: step.supplier === null ? '' : supplierName(step.supplier), link: null }
    case 'own':
      return { by: step.currency, link: link(`own&currency=${step.currency}`) }
    case 'base':
      return { by: step.currency, link: null }
    case 'level_price':
      return { by: String(step.level), link: link('levels') }
    case 'amount':
      return { by: `× ${step.part.numerator}/${step.part.denominator}`, link: null }
    case 'rate': {
      const rate = valueText(step.rate)
      const spread = step.spreadBasisPoints === 0 ? '' : ` + ${share(step.spreadBasisPoints)}`
      return {
        by: `× ${rate} ${step.from} → ${step.to}${spread}`,
        link: link(`rates&currency=${step.to}`),
      }
    }
    case 'margin':
      return {
        by: `+ ${share(step.basisPoints)}`,
        link:
          step.rule === null
            ? link(`rounding#currency-${currency}`)
            : `${link('rules')}#rule-${step.rule}`,
      }
    case 'level':
      return { by: `${step.level}: − ${share(step.basisPoints)}`, link: link('levels') }
    case 'floor': {
      const [least = '0'] = valueText(step.floor).split('.')
      const method = step.method === null ? '' : ` · ${step.method}`
      return {
        by: `≥ ${money(least, currency)} · ${share(step.basisPoints)}${method}`,
        link: link('rounding'),
      }
    }
    case 'rounding':
      return {
        by: `${t(`console.prices.mode.${step.mode === 'up' ? 'up' : 'half_up'}`)} · ${money(step.charm?.everyMinor ?? step.increment, currency)}`,
        link: link(`rounding#currency-${currency}`),
      }
  }
}
