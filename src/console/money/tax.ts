import { readStored } from '#features/base/setting/queries.ts'
import { listCountries } from '#features/goods/region/queries.ts'
import { textIn } from '#features/goods/catalogue/rules.ts'
import { listTaxClasses, listTaxRates, taxVersion } from '#features/goods/tax/queries.ts'
import {
  rateOf,
  TAXED_CLASSES,
  taxTable,
  type TaxClass,
  type TaxedClass,
} from '#features/goods/tax/rules.ts'
import { invoiceSetting } from '#features/buying/sales-invoice/schema.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import { dayIn } from '#kernel/day.ts'
import { formatDate, formatRate } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import type { ConsoleContext } from '../page.ts'

export interface TaxView {
  readonly view: 'tax'
  readonly version: string
  readonly maySet: boolean
  /** Today, as the shop's days go. */
  readonly today: string
  readonly classes: readonly {
    readonly product: string | null
    readonly country: string | null
    readonly taxClass: TaxClass
    /** What it comes to now; null where that differs by country, or is nothing. */
    readonly rate: string | null
    readonly by: string
  }[]
  readonly rates: readonly {
    readonly id: string
    readonly country: string
    readonly taxClass: TaxedClass
    readonly rate: string
    /** Null for since ever. */
    readonly from: string | null
    readonly state: 'now' | 'planned' | 'ended'
    readonly by: string
  }[]
  readonly countries: readonly { readonly code: string; readonly name: string }[]
  readonly invoices: { readonly name: string; readonly taxId: string } | null
}

const LISTED = 500

export async function loadTax({ ctx, language, timeZone }: ConsoleContext): Promise<TaxView> {
  const [version, classes, rates, countries, invoicing] = await Promise.all([
    taxVersion(ctx.db),
    listTaxClasses(ctx.db, LISTED),
    listTaxRates(ctx.db),
    listCountries(ctx.db),
    readStored(ctx.db, invoiceSetting),
  ])
  const now = ctx.now()
  const table = taxTable(classes, rates)
  const names = new Map(
    countries.map(({ code, name }) => [code as string, textIn(name, language.code)]),
  )
  const nameOf = (code: string) => names.get(code) ?? code
  const isNow = ({ validFrom }: { readonly validFrom: Date | null }) =>
    validFrom === null || validFrom <= now
  const inForce = new Set([...table.rates.values()].map((of) => of.find(isNow)))
  const percent = (basisPoints: number) => `${formatRate(language.code, basisPoints)}%`
  return {
    view: 'tax',
    version,
    maySet: mayDo(ctx.operator, 'payment.settings'),
    today: dayIn(timeZone, now),
    classes: classes.map(({ product, country, taxClass, setBy }) => ({
      product,
      country: country === null ? null : nameOf(country),
      taxClass,
      rate:
        country !== null && TAXED_CLASSES.some((taxed) => taxed === taxClass)
          ? percent(rateOf(table, country, taxClass, now))
          : null,
      by: actorName(setBy),
    })),
    rates: rates
      .map((row, index) => ({ ...row, index, isInForce: inForce.has(row) }))
      .toSorted(
        (one, other) =>
          nameOf(one.country).localeCompare(nameOf(other.country), language.intl) ||
          one.taxClass.localeCompare(other.taxClass) ||
          (other.validFrom?.getTime() ?? 0) - (one.validFrom?.getTime() ?? 0) ||
          other.index - one.index,
      )
      .map((row) => ({
        id: String(row.index),
        country: nameOf(row.country),
        taxClass: row.taxClass,
        rate: percent(row.basisPoints),
        from: row.validFrom && formatDate(language.code, row.validFrom, timeZone),
        state: row.isInForce ? ('now' as const) : isNow(row) ? 'ended' : 'planned',
        by: actorName(row.setBy),
      })),
    countries: countries
      .map(({ code }) => ({ code, name: nameOf(code) }))
      .toSorted((one, other) => one.name.localeCompare(other.name, language.intl)),
    invoices: invoicing.value && { name: invoicing.value.name, taxId: invoicing.value.tax_id },
  }
}
