import { convertMinor, US_DOLLAR, type Currency } from '#features/goods/currency/rules.ts'
import { roundToIncrement } from '#kernel/money.ts'

export const METHOD_GROUPS = ['balance', 'card', 'local', 'bank'] as const
/** Where a method stands in the cashier: cards and wallets together, then what a country is used to, then banks. */
export type MethodGroup = (typeof METHOD_GROUPS)[number]

export const METHOD_ICONS = [
  'card',
  'wallet',
  'phone',
  'qr',
  'bank',
  'transfer',
  'coin',
  'store',
] as const
export type MethodIcon = (typeof METHOD_ICONS)[number]

/** What a line of an order is, as far as methods care: the goods type, or credit of the shop itself. */
export type GoodsKind = 1 | 2 | 3 | 4 | 'store_credit'

/** A message of the area `cashier` in every language, or the operator's own words as they are. */
export type MethodText =
  | { readonly message: `cashier.method.${string}` }
  | { readonly text: string }

/** A way to pay. */
export interface PayMethod {
  /** What the wire calls it. */
  readonly code: string
  readonly provider: string
  readonly group: MethodGroup
  readonly icon: MethodIcon
  readonly name: MethodText
  readonly text: MethodText
  /** How soon money comes back to it after a refund. */
  readonly refundText: MethodText
  /** Added to the price of the goods: a fixed part in `currency`, and hundredths of a percent of the goods. */
  readonly fee: { readonly minor: bigint; readonly currency: string; readonly basisPoints: number }
  /** Of the whole amount to pay, in minor units of `limitCurrency`, whatever the order's currency; null for none. */
  readonly minMinor: bigint | null
  readonly maxMinor: bigint | null
  /** Absent: US dollars. */
  readonly limitCurrency?: string
  /** ISO 4217 and ISO 3166 codes; null means all. */
  readonly currencies: readonly string[] | null
  readonly countries: readonly string[] | null
  readonly notFor: readonly GoodsKind[]
  /** Not offered for the moment, as somebody of the shop has said. */
  readonly isStopped?: true
}

/** Provider of the shop's own credit: what it may pay is what the buyer has. */
export const STORE_CREDIT = 'store-credit'
export const BANK_TRANSFER = 'bank-transfer'

const NO_FEE = { minor: 0n, currency: 'USD', basisPoints: 0 }
const words = (code: string) => ({
  name: { message: `cashier.method.${code}.name` as const },
  text: { message: `cashier.method.${code}.text` as const },
  refundText: { message: `cashier.method.${code}.refund` as const },
})
const open = { currencies: null, countries: null, notFor: [] }

/** What the shop itself takes. */
const OWN_METHODS: readonly PayMethod[] = [
  {
    ...open,
    code: STORE_CREDIT,
    provider: STORE_CREDIT,
    group: 'balance',
    icon: 'coin',
    ...words('credit'),
    fee: NO_FEE,
    minMinor: null,
    maxMinor: null,
    notFor: ['store_credit'],
  },
  {
    ...open,
    code: BANK_TRANSFER,
    provider: BANK_TRANSFER,
    group: 'bank',
    icon: 'transfer',
    ...words('transfer'),
    fee: NO_FEE,
    minMinor: 100n,
    maxMinor: null,
  },
]

/** A method as the folder of its service declares it. */
type Declared = Pick<PayMethod, 'code' | 'group' | 'icon'> &
  Partial<Pick<PayMethod, 'fee'>> & { readonly minUsdMinor: bigint; readonly maxUsdMinor: bigint }

/** The ways to pay that the program knows, in the cashier's order; a shop offers those whose provider it has set up. */
export function knownMethods(
  declared: readonly { readonly provider: string; readonly method: Declared }[],
): readonly PayMethod[] {
  const ofServices = declared.map(
    ({ provider, method: { minUsdMinor, maxUsdMinor, ...method } }): PayMethod => ({
      ...open,
      ...words(method.code),
      fee: NO_FEE,
      ...method,
      minMinor: minUsdMinor,
      maxMinor: maxUsdMinor,
      provider,
    }),
  )
  return METHOD_GROUPS.flatMap((group) =>
    [...ofServices, ...OWN_METHODS].filter((method) => method.group === group),
  )
}

/** What an operator says of one method: what is left out stays as it is; a method the program does not know must say all it has no default for. */
export interface MethodChange {
  readonly code: string
  readonly isOffered: boolean
  readonly change: Partial<Omit<PayMethod, 'code'>>
}

/** Methods by default, changed as the operator wants; their order is the operator's, then ours. */
export function changedMethods(
  defaults: readonly PayMethod[],
  changes: readonly MethodChange[],
): readonly PayMethod[] {
  const known = new Map(defaults.map((method) => [method.code, method]))
  const named = changes.flatMap(({ code, isOffered, change }) => {
    const base = known.get(code)
    known.delete(code)
    const method = base ? { ...base, ...change } : wholeMethod(code, change)
    return isOffered && method ? [method] : []
  })
  return [...named, ...known.values()]
}

function wholeMethod(code: string, change: MethodChange['change']): PayMethod | null {
  const { provider, name } = change
  if (provider === undefined || name === undefined) return null
  return {
    ...open,
    group: 'local',
    icon: 'wallet',
    text: { text: '' },
    refundText: { message: 'cashier.method.card.refund' },
    fee: NO_FEE,
    minMinor: null,
    maxMinor: null,
    ...change,
    code,
    provider,
    name,
  }
}

/** Methods a shop can offer at all, by the providers it has set up. */
export function methodsOf(
  methods: readonly PayMethod[],
  providers: ReadonlyMap<string, unknown>,
): readonly PayMethod[] {
  return methods.filter(({ provider, isStopped }) => !isStopped && providers.has(provider))
}

/**
 * What a method adds to the price of goods, in minor units of their currency: the fixed part as the shop converts it, and the
 * share, together rounded up to what the currency can be paid in. Null without a rate.
 */
export function feeOf(
  { fee }: Pick<PayMethod, 'fee'>,
  goodsMinor: bigint,
  currency: Currency,
  currencies: ReadonlyMap<string, Currency>,
): bigint | null {
  const from = currencies.get(fee.currency)
  const fixed =
    fee.minor === 0n
      ? 0n
      : from
        ? convertMinor(fee.minor, from, { ...currency, roundingMode: 'up' })
        : null
  if (fixed === null) return null
  return roundToIncrement(
    fixed * 10_000n + goodsMinor * BigInt(fee.basisPoints),
    10_000n,
    currency.roundingIncrement,
    'up',
  )
}

/** An order as methods see it. Amounts in minor units of its currency. */
export interface PayableGoods {
  readonly goodsMinor: bigint
  readonly currency: Currency
  /** Where the buyer is; null when nobody said. */
  readonly country: string | null
  readonly kinds: readonly GoodsKind[]
  /** What the buyer may spend of the shop's credit in this currency. */
  readonly creditMinor: bigint
}

/** Why a method cannot pay an order: the first three are worth saying, as another order or more credit changes them. */
export type Refusal = 'too_small' | 'too_large' | 'no_credit' | 'currency' | 'country' | 'goods'

export interface PricedMethod {
  readonly method: PayMethod
  readonly feeMinor: bigint
  readonly totalMinor: bigint
  readonly refusal: Refusal | null
  /** In the order's currency, with the refusals that speak of it. */
  readonly limitMinor: bigint | null
}

/** Amounts that a method's provider takes, in minor units of the order's currency; null where it does not take the currency. */
export type ProviderLimits = {
  readonly min: bigint
  readonly max: bigint
  readonly step: bigint
} | null

/**
 * What paying an order by a method costs, and whether it can. Where the provider takes only round amounts, the fee makes the total
 * one.
 */
export function priceMethod(
  method: PayMethod,
  goods: PayableGoods,
  currencies: ReadonlyMap<string, Currency>,
  limits: ProviderLimits,
): PricedMethod {
  const fee = feeOf(method, goods.goodsMinor, goods.currency, currencies)
  const totalMinor = roundedUp(goods.goodsMinor + (fee ?? 0n), limits?.step ?? 1n)
  const { least, most } = limitsIn(method, goods.currency, currencies, limits)
  const answer = (refusal: Refusal | null, limitMinor: bigint | null = null): PricedMethod => ({
    method,
    feeMinor: totalMinor - goods.goodsMinor,
    totalMinor,
    refusal,
    limitMinor,
  })
  if (
    fee === null ||
    limits === null ||
    (method.currencies !== null && !method.currencies.includes(goods.currency.code))
  )
    return answer('currency')
  if (
    method.countries !== null &&
    (goods.country === null || !method.countries.includes(goods.country))
  )
    return answer('country')
  if (goods.kinds.some((kind) => method.notFor.includes(kind))) return answer('goods')
  if (method.provider === STORE_CREDIT && goods.creditMinor < totalMinor)
    return answer('no_credit', goods.creditMinor)
  if (least !== null && totalMinor < least) return answer('too_small', least)
  if (most !== null && totalMinor > most) return answer('too_large', most)
  return answer(null)
}

/** The least and the most that can be paid by a method, in minor units of a currency: the narrower of its own and its provider's. */
export function limitsIn(
  method: PayMethod,
  currency: Currency,
  currencies: ReadonlyMap<string, Currency>,
  limits: ProviderLimits,
): { readonly least: bigint | null; readonly most: bigint | null } {
  return {
    least: larger(inCurrency(method, method.minMinor, currency, currencies), limits?.min ?? null),
    most: smaller(inCurrency(method, method.maxMinor, currency, currencies), limits?.max ?? null),
  }
}

const roundedUp = (minor: bigint, step: bigint) => ((minor + step - 1n) / step) * step
const larger = (a: bigint | null, b: bigint | null) =>
  a === null || b === null ? (a ?? b) : a > b ? a : b
const smaller = (a: bigint | null, b: bigint | null) =>
  a === null || b === null ? (a ?? b) : a < b ? a : b

function inCurrency(
  { limitCurrency }: Pick<PayMethod, 'limitCurrency'>,
  minor: bigint | null,
  currency: Currency,
  currencies: ReadonlyMap<string, Currency>,
): bigint | null {
  const from = currencies.get(limitCurrency ?? US_DOLLAR.code)
  return minor === null || !from ? null : convertMinor(minor, from, currency)
}

const SAID: ReadonlySet<Refusal> = new Set(['too_small', 'too_large', 'no_credit'])

/** Providers of a shop, as far as methods care. */
export type PayProviders = ReadonlyMap<
  string,
  { readonly limits: (currency: string) => ProviderLimits }
>

/** A method's price at its provider; null when the shop has not set that up, or it is stopped. */
export function priceAt(
  providers: PayProviders,
  method: PayMethod,
  goods: PayableGoods,
  currencies: ReadonlyMap<string, Currency>,
): PricedMethod | null {
  const provider = providers.get(method.provider)
  return provider && !method.isStopped
    ? priceMethod(method, goods, currencies, provider.limits(goods.currency.code))
    : null
}

/** The ways to pay an order, with those that cannot but whose reason helps. */
export function listMethods(
  methods: readonly PayMethod[],
  providers: PayProviders,
  goods: PayableGoods,
  currencies: ReadonlyMap<string, Currency>,
): readonly PricedMethod[] {
  return methods
    .flatMap((method) => priceAt(providers, method, goods, currencies) ?? [])
    .filter(({ refusal }) => refusal === null || SAID.has(refusal))
}
