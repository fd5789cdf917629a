import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import {
  SupplyRefusal,
  SupplyUnavailable,
  type AccountCheck,
  type CataloguePage,
  type Faces,
  type LookupRequest,
  type PurchaseOutcome,
  type QuoteOutcome,
  type ReportedPurchase,
  type ReportPage,
  type SupplyBalance,
  type SupplyCapabilities,
  type SupplyNotice,
  type SupplyOrder,
  type SupplyProduct,
  type SupplyProvider,
  type SupplyPurchase,
} from '../provider.ts'
import { decimalOf, exactMoney, roundedMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { readJson } from '../wire/json.ts'
import { failed, notSent } from '../wire/outcome.ts'
import { fingerprintOf } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { hookOutcome, hookPurchaseOutcome } from './answers.ts'
import { isHookNotice, openHookApi, type HookApi, type HookOptions } from './api.ts'
import { HOOK_CLASSES } from './codes.ts'

export const HOOK_TIMEOUT_MS = 30_000

/** The contract in README.md asks for it. */
const CAPABILITIES: SupplyCapabilities = {
  kinds: ['topup', 'recharge', 'data', 'giftcard', 'key', 'voucher'],
  idempotency: 'reference',
  notFoundIsFinalAfterSeconds: 120,
  lookupMayBuyAfterSeconds: null,
  checksAccounts: true,
  checksAmounts: true,
  sendsNotices: true,
  enforcesMaxCost: true,
  needsBuyerAddress: false,
  maxQuantity: 100,
  limits: { concurrent: 8, perSecond: 20 },
  answersWithinSeconds: HOOK_TIMEOUT_MS / 1_000,
}
const CHECKING_FIRST: SupplyCapabilities = {
  ...CAPABILITIES,
  answersWithinSeconds: 2 * CAPABILITIES.answersWithinSeconds,
}
const amount = z.strictObject({ amount: z.string(), currency: z.string() })
const countries = z.array(z.string().regex(/^[A-Z]{2}$/)).max(300)
/** Any amount between two, by what one of them costs. */
const range = z.strictObject({
  min: z.string(),
  max: z.string(),
  step: z.string().optional(),
  currency: z.string(),
  /** What `cost` is for. */
  of: z.string(),
})
const product = z.object({
  id: z.string(),
  kind: z.enum(['topup', 'recharge', 'data', 'giftcard', 'key', 'voucher']),
  name: z.string(),
  brand: z.string().optional(),
  country: z.string().optional(),
  cost: amount.optional(),
  stock: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional(),
  fields: z.array(z.object({ name: z.string(), required: z.boolean().optional() })).optional(),
  range: range.optional(),
  buyer_countries: countries.min(1).optional(),
  blocked_countries: countries.optional(),
  min_age: z
    .string()
    .regex(/^[1-9]\d?$/)
    .optional(),
})
type Product = z.infer<typeof product>
const page = z.object({ products: z.array(z.unknown()), next: z.string().max(500).nullish() })
const quote = z.union([
  z.object({ cost: amount }),
  z.object({
    class: z.enum(HOOK_CLASSES),
    code: z.string().optional(),
    text: z.string().optional(),
  }),
])
const account = z.union([
  z.object({
    valid: z.literal(true),
    name: z.string().optional(),
    token: z.string().max(2_000).optional(),
    product: z.string().max(200).optional(),
  }),
  z.object({
    valid: z.literal(false),
    fault: z.enum(['account', 'zone', 'operator', 'country', 'not_eligible', 'not_valid']),
    text: z.string().optional(),
  }),
])
const report = z.object({ purchases: z.array(z.unknown()).max(10_000), next: z.string().nullish() })
const entry = z.object({
  id: z.string(),
  reference: z.string(),
  outcome: z.enum(['done', 'accepted', 'failed']),
  cost: z.object({ amount: z.string(), currency: z.string() }).optional(),
  at: z.iso.datetime(),
})
const balances = z.object({ balances: z.array(amount) })
const notice = z.object({ id: z.string(), kind: z.string().optional(), reference: z.string() })

/** The owner's own service, or a small supplier's: the shop says what is spoken. */
export function createHookSupplier(options: HookOptions): SupplyProvider {
  const api = openHookApi(options)
  return {
    code: 'hook',
    capabilities: options.checksFirst ? CHECKING_FIRST : CAPABILITIES,
    catalogue: (cursor) => catalogue(api, cursor),
    quote: (order) => quoted(api, order),
    validateAccount: (order) => checked(api, order),
    purchase: (purchase) => bought(api, options, purchase),
    lookup: async ({ purchase, supplierId }) => looked(api, { purchase, supplierId }),
    async cards(request) {
      const found = await looked(api, request)
      return found.kind === 'done' && found.cards
        ? { kind: 'cards', cards: found.cards }
        : { kind: 'unknown', why: `no cards: ${found.kind}` }
    },
    balances: () => held(api),
    report: (from, to, cursor) => reported(api, from, to, cursor),
    readNotice: async (body, headers, now) => readNotice(body, headers, now, options),
  }
}

/**
 * Where the endpoint wants a token it is one of this moment: one of when the form was filled in may have run out by the time somebody has
 * paid. Without an answer to that nothing was sent.
 */
async function bought(
  api: HookApi,
  { checksFirst = false }: HookOptions,
  purchase: SupplyPurchase,
): Promise<PurchaseOutcome> {
  const asked = checksFirst && CREDITED.has(purchase.kind) ? await checked(api, purchase) : null
  if (asked?.kind === 'invalid') return failed('customer', asked.code, asked.text)
  if (asked?.kind === 'unchecked') return failed('supplier', 'not_checked', asked.why)
  const token = asked?.token ?? null
  const exchange = await api({ action: 'purchase', ...purchaseBody({ ...purchase, token }) })
  return hookPurchaseOutcome(exchange, purchase)
}

const CREDITED: ReadonlySet<SupplyPurchase['kind']> = new Set(['topup', 'recharge', 'data'])

/** Asking never buys here: what is said of a failure to ask is that nothing is known. */
async function looked(api: HookApi, { purchase, supplierId }: LookupRequest) {
  const outcome = hookOutcome(
    await api({ action: 'lookup', reference: purchase.reference }),
    purchase,
    supplierId,
  )
  return outcome.kind === 'failed' && (outcome.code === 'not_sent' || outcome.code === 'refused')
    ? ({ kind: 'unknown', why: outcome.text } as const)
    : outcome
}

const orderBody = ({ kind, product: id, quantity, face, fields }: SupplyOrder) => ({
  kind,
  product: id,
  quantity,
  face: face ? { amount: decimalOf(face), currency: face.currency } : null,
  fields,
})

const purchaseBody = (purchase: SupplyPurchase) => ({
  reference: purchase.reference,
  ...orderBody(purchase),
  max_cost: purchase.maxCost
    ? { amount: decimalOf(purchase.maxCost), currency: purchase.maxCost.currency }
    : null,
  token: purchase.token,
})

const read = <T>(shape: z.ZodType<T>, exchange: Exchange): T | null =>
  (exchange.kind === 'answer' && exchange.status === 200
    ? shape.safeParse(exchange.json).data
    : null) ?? null

async function catalogue(api: HookApi, cursor: string | null): Promise<CataloguePage> {
  const told = read(page, await api({ action: 'catalogue', cursor }))
  if (!told) throw new SupplyUnavailable('the catalogue could not be read')
  const all = told.products.map((json) => productOf(json))
  return {
    products: all.flatMap((known) => (known ? [known] : [])),
    unread: all.flatMap((known) => (known ? [] : ['?'])),
    next: told.next ?? null,
  }
}

function productOf(json: unknown): SupplyProduct | null {
  const told = product.safeParse(json).data
  if (!told) return null
  const cost = told.cost ? exactMoney(told.cost.amount, told.cost.currency) : null
  if (told.cost && !cost) return null
  const faces = told.range
    ? rangeOf(told.range, cost)
    : ({ kind: 'single', face: null, cost } as const)
  if (!faces) return null
  return {
    id: told.id,
    kind: told.kind,
    name: told.name,
    brand: told.brand ?? null,
    country: told.country ?? null,
    faces,
    limits: {
      buyerCountries: told.buyer_countries ?? null,
      blockedCountries: told.blocked_countries ?? [],
      minAge: told.min_age === undefined ? null : Number(told.min_age),
    },
    fields: (told.fields ?? []).map(({ name, required }) => ({
      name,
      type: name === 'phone' ? 'phone' : 'text',
      isRequired: required !== false,
      options: [],
    })),
    stock: told.stock === undefined ? null : Number(told.stock),
  }
}

function rangeOf(told: NonNullable<Product['range']>, cost: Money | null): Faces | null {
  const [min, max, face] = [told.min, told.max, told.of].map((text) =>
    exactMoney(text, told.currency),
  )
  const step = told.step === undefined ? null : exactMoney(told.step, told.currency)
  if (!min || !max || !face || min.minor >= max.minor || face.minor <= 0n) return null
  if (told.step !== undefined && (!step || step.minor <= 0n)) return null
  return {
    kind: 'range',
    min,
    max,
    ...(step ? { step } : {}),
    ...(cost ? { price: { face, cost, feeMinor: 0n } } : {}),
  }
}

async function quoted(api: HookApi, order: SupplyOrder): Promise<QuoteOutcome> {
  const exchange = await api({ action: 'quote', ...orderBody(order) })
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  const told = read(quote, exchange)
  if (!told) return { kind: 'unknown', why: 'no price' }
  if ('class' in told) return failed(told.class, told.code ?? told.class, told.text ?? '')
  const cost = exactMoney(told.cost.amount, told.cost.currency)
  return cost ? { kind: 'quote', cost } : { kind: 'unknown', why: 'a price that is no amount' }
}

async function checked(api: HookApi, order: SupplyOrder): Promise<AccountCheck> {
  const told = read(account, await api({ action: 'validate', ...orderBody(order) }))
  if (!told) return { kind: 'unchecked', why: 'no answer about the account' }
  return told.valid
    ? {
        kind: 'valid',
        displayName: told.name === undefined ? null : cleanText(told.name, 80),
        token: told.token ?? null,
        expiresAt: null,
        product: told.product ?? null,
      }
    : { kind: 'invalid', fault: told.fault, code: told.fault, text: cleanText(told.text) }
}

async function reported(
  api: HookApi,
  from: Date,
  to: Date,
  cursor: string | null,
): Promise<ReportPage> {
  const told = read(
    report,
    await api({ action: 'report', from: from.toISOString(), to: to.toISOString(), cursor }),
  )
  if (!told) throw new SupplyUnavailable('the report could not be read')
  const all = told.purchases.map(reportedOf)
  const purchases = all.flatMap((known) => (known ? [known] : []))
  return { purchases, unread: all.length - purchases.length, next: told.next ?? null }
}

function reportedOf(json: unknown): ReportedPurchase | null {
  const told = entry.safeParse(json).data
  const supplierId = idOf(told?.id)
  if (!told || !supplierId) return null
  const cost = told.cost ? exactMoney(told.cost.amount, told.cost.currency) : null
  if (told.cost && !cost) return null
  return {
    supplierId,
    reference: told.reference,
    state: told.outcome === 'accepted' ? 'open' : told.outcome,
    cost,
    at: new Date(told.at),
  }
}

async function held(api: HookApi): Promise<readonly SupplyBalance[]> {
  const told = read(balances, await api({ action: 'balances' }))
  const list = told?.balances.map(({ amount: decimal, currency }) =>
    roundedMoney(decimal, currency, 'down'),
  )
  if (!list || list.some((each) => each === null))
    throw new SupplyUnavailable('the balance could not be read')
  return list.flatMap((available) => (available ? [{ available }] : []))
}

function readNotice(
  body: Uint8Array,
  headers: Headers,
  now: Date,
  { secret }: HookOptions,
): SupplyNotice {
  if (!isHookNotice(body, headers, now, secret)) throw new SupplyRefusal('not signed, or too old')
  const told = notice.safeParse(readJson(Buffer.from(body).toString('utf8'))).data
  return {
    eventId: told ? fingerprintOf(told.id) : fingerprintOf(body),
    kind: cleanText(told?.kind, 80),
    reference: idOf(told?.reference),
    supplierId: null,
  }
}
