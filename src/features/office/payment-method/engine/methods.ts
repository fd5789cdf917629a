import { createHash } from 'node:crypto'
import { US_DOLLAR, type Currency } from '#features/goods/currency/rules.ts'
import { feeOf, limitsIn, type PayMethod } from '#features/goods/pay-method/rules.ts'
import { DEFAULT_METHODS, paymentMethods } from '#features/goods/pay-method/schema.ts'
import { z } from 'zod'

/** Terms of a way to pay, as the setting `payment_methods` writes them. */
export const methodTerms = z.strictObject({
  enabled: z.boolean(),
  fee: z.strictObject({
    minor: z
      .int()
      .min(0)
      .max(10 ** 12),
    currency: z.string().regex(/^[A-Z]{3}$/),
    basis_points: z.int().min(0).max(5_000),
  }),
  /** Of what is paid; null for none. */
  limits: z.strictObject({
    min_minor: z
      .int()
      .min(0)
      .max(10 ** 12)
      .nullable(),
    max_minor: z
      .int()
      .min(0)
      .max(10 ** 12)
      .nullable(),
    currency: z.string().regex(/^[A-Z]{3}$/),
  }),
  /** Codes; null for all. */
  currencies: z
    .array(z.string().regex(/^[A-Z]{3}$/))
    .min(1)
    .max(400)
    .nullable(),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .max(400)
    .nullable(),
})
export type MethodTerms = z.infer<typeof methodTerms>

export interface ListedMethod {
  readonly method: PayMethod
  readonly terms: MethodTerms
  /** Changes with the terms. */
  readonly version: string
}

/** Subject of an act about the order of all of them: no method is called so. */
export const ORDER_SUBJECT = 'methods.order'

type Entry = Readonly<Record<string, unknown>> & { readonly code: string }

/** Entries of the row as they are written; what cannot be read holds nothing. */
function entriesOf(row: unknown): readonly Entry[] {
  const isReadable = Array.isArray(row) && paymentMethods.safeParse(row).success
  return isReadable ? (row as Entry[]) : []
}

/** Every way to pay in the shop's order, those that are switched off as well. */
export function listedMethods(row: unknown): readonly ListedMethod[] {
  const entries = entriesOf(row)
  const off = new Set(entries.filter(({ enabled }) => enabled === false).map(({ code }) => code))
  const all = paymentMethods.safeParse(entries.map((entry) => ({ ...entry, enabled: true })))
  return (all.data ?? DEFAULT_METHODS).map((method) => {
    const terms = termsOf(method, !off.has(method.code))
    return { method, terms, version: fingerprint(terms) }
  })
}

function termsOf(method: PayMethod, enabled: boolean): MethodTerms {
  const { fee, minMinor, maxMinor, limitCurrency, currencies, countries } = method
  return {
    enabled,
    fee: {
      minor: Number(fee.minor),
      currency: fee.currency,
      basis_points: fee.basisPoints,
    },
    limits: {
      min_minor: minMinor === null ? null : Number(minMinor),
      max_minor: maxMinor === null ? null : Number(maxMinor),
      currency: limitCurrency ?? US_DOLLAR.code,
    },
    currencies: currencies && [...currencies],
    countries: countries && [...countries],
  }
}

/** Changes with the order of the methods, and with which there are. */
export const orderVersion = (listed: readonly ListedMethod[]): string =>
  fingerprint(listed.map(({ method }) => method.code))

const fingerprint = (told: unknown) =>
  createHash('sha256').update(JSON.stringify(told)).digest('base64url').slice(0, 22)

/** The row with other terms of one method; all others stay, and so does their order. */
export function withTerms(row: unknown, code: string, terms: MethodTerms): readonly unknown[] {
  return inOrder(
    row,
    listedMethods(row).map(({ method }) => method.code),
  ).map((entry) => (entry.code === code ? written(entry, terms) : entry))
}

/** Limits in US dollars are written as every release reads them. */
function written(entry: Entry, { limits, ...terms }: MethodTerms): Entry {
  const { limits: _, min_usd_minor: _least, max_usd_minor: _most, ...rest } = entry
  const { min_minor: min, max_minor: max, currency } = limits
  return {
    ...rest,
    code: entry.code,
    ...terms,
    ...(currency === US_DOLLAR.code ? { min_usd_minor: min, max_usd_minor: max } : { limits }),
  }
}

/** The row with its methods in another order; what the program does not know stays at its end. */
export function inOrder(row: unknown, codes: readonly string[]): readonly Entry[] {
  const entries = new Map(entriesOf(row).map((entry) => [entry.code, entry]))
  const named = codes.map((code) => entries.get(code) ?? { code })
  return [...named, ...[...entries.values()].filter(({ code }) => !codes.includes(code))]
}

/** A method under other terms. */
export function methodUnder(method: PayMethod, terms: MethodTerms): PayMethod {
  const { fee, limits, currencies, countries } = terms
  const { min_minor: min, max_minor: max, currency } = limits
  return {
    ...method,
    fee: { minor: BigInt(fee.minor), currency: fee.currency, basisPoints: fee.basis_points },
    minMinor: min === null ? null : BigInt(min),
    maxMinor: max === null ? null : BigInt(max),
    limitCurrency: currency,
    currencies,
    countries,
  }
}

export interface Example {
  /** US cents of goods. */
  readonly goodsMinor: bigint
  /** What is paid for them; null where they cannot be paid by it. */
  readonly before: bigint | null
  readonly after: bigint | null
}

const GOODS = [500n, 5_000n, 50_000n]

/** What paying for some goods would cost under the terms that hold, and under others. */
export function examplesOf(
  { method, terms }: Pick<ListedMethod, 'method' | 'terms'>,
  wanted: MethodTerms,
  currencies: ReadonlyMap<string, Currency>,
): readonly Example[] {
  const usd = currencies.get('USD') ?? US_DOLLAR
  const known = new Map([...currencies, ['USD', usd]])
  const total = (under: MethodTerms, goods: bigint) => {
    const priced = methodUnder(method, under)
    const { least: min, most: max } = limitsIn(priced, usd, known, null)
    const fee = under.enabled ? feeOf(priced, goods, usd, known) : null
    if (fee === null || (under.currencies && !under.currencies.includes('USD'))) return null
    const sum = goods + fee
    return (min !== null && sum < min) || (max !== null && sum > max) ? null : sum
  }
  return GOODS.map((goodsMinor) => ({
    goodsMinor,
    before: total(terms, goodsMinor),
    after: total(wanted, goodsMinor),
  }))
}

/** Whether one of these methods can be offered at all: it is switched on, and its provider set up. */
export const isAnyLeft = (
  listed: readonly ListedMethod[],
  except: string,
  providers: { readonly has: (code: string) => boolean },
): boolean =>
  listed.some(
    ({ method, terms }) =>
      method.code !== except && terms.enabled && providers.has(method.provider),
  )
