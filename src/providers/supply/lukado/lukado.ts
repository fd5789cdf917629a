import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import {
  SupplyRefusal,
  SupplyUnavailable,
  type AccountCheck,
  type CardsOutcome,
  type CataloguePage,
  type Faces,
  type LookupOutcome,
  type LookupRequest,
  type PurchaseOutcome,
  type QuoteOutcome,
  type SupplyBalance,
  type SupplyCapabilities,
  type SupplyField,
  type SupplyNotice,
  type SupplyOrder,
  type SupplyProduct,
  type SupplyProvider,
  type SupplyPurchase,
} from '../provider.ts'
import { decimalOf, exactMoney, roundedMoney } from '../wire/amounts.ts'
import { readJson } from '../wire/json.ts'
import { notSent, refusedHere, unknown } from '../wire/outcome.ts'
import { fingerprintOf, hmacHex, isFresh, isSameText } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { orderOutcome, refusalOf } from './answers.ts'
import {
  dataIn,
  envelopeIn,
  moneyShape,
  openLukadoApi,
  type Envelope,
  type LukadoApi,
  type LukadoOptions,
} from './api.ts'
import { cardsOf } from './cards.ts'
import { LINE_FAULT } from './codes.ts'
import { readOrders } from './report.ts'

export const LUKADO_TIMEOUT_MS = 30_000

const CAPABILITIES: SupplyCapabilities = {
  kinds: ['topup', 'recharge', 'data', 'giftcard', 'key'],
  idempotency: 'reference',
  // A signature is taken for two minutes, and a call ends within half of one.
  notFoundIsFinalAfterSeconds: 300,
  lookupMayBuyAfterSeconds: null,
  checksAccounts: true,
  checksAmounts: true,
  sendsNotices: true,
  enforcesMaxCost: true,
  needsBuyerAddress: false,
  maxQuantity: 100,
  limits: { concurrent: 8, perSecond: 8 },
  answersWithinSeconds: LUKADO_TIMEOUT_MS / 1_000,
}

const minorUnits = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(BigInt)
const field = z.object({
  key: z.string(),
  kind: z.string(),
  required: z.boolean(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
})
const listed = z.object({
  item: z.string(),
  kind: z.enum(['topup', 'recharge', 'data', 'giftcard', 'key']),
  name: z.string(),
  brand: z.string(),
  country: z.string().nullable(),
  price: moneyShape,
  amount: z
    .object({
      currency: z.string().regex(/^[A-Z]{3}$/),
      min: minorUnits,
      max: minorUnits,
      face: minorUnits,
    })
    .nullish(),
  stock: z.string().nullable(),
  fields: z.array(field),
})
const page = z.object({ items: z.array(z.unknown()), next: z.string().max(500).nullable() })
const quoted = z.object({ total: moneyShape })
const balances = z.array(moneyShape)
const checked = z.object({
  state: z.enum(['valid', 'invalid', 'unchecked']),
  name: z.string().nullable(),
  faults: z.array(z.object({ field: z.string(), msg: z.string() })),
})
const notice = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ reference: z.string().nullable(), order: z.string().nullable() }),
})
const FIELD_TYPES: Readonly<Record<string, SupplyField['type']>> = {
  digits: 'number',
  phone: 'phone',
  email: 'email',
  select: 'select',
}
const NOTICE_WINDOW_MS = 5 * 60_000

/** Another shop of this program, by the API that it sells to others with. */
export function createLukadoSupplier(options: LukadoOptions): SupplyProvider {
  const api = openLukadoApi(options)
  const lookup = (request: LookupRequest) => looked(api, options, request)
  return {
    code: 'lukado',
    capabilities: CAPABILITIES,
    catalogue: (cursor) => catalogue(api, cursor),
    quote: (order) => quote(api, options, order),
    validateAccount: (order) => account(api, order),
    purchase: (purchase) => bought(api, options, purchase),
    lookup,
    cards: async (request) => cards(api, request, await lookup(request)),
    balances: () => held(api),
    report: (from, to, cursor) => readOrders(api, from, to, cursor),
    readNotice: async (body, headers, now) => readNotice(options, body, headers, now),
  }
}

const lineOf = ({ product, quantity, kind, fields, face }: SupplyOrder) => ({
  item: product,
  quantity,
  // Said with its currency: an amount of another is refused there, and not credited.
  ...(face ? { amount: Number(face.minor), amount_currency: face.currency } : {}),
  // A number in E.164 says its country.
  fields: kind === 'recharge' || kind === 'data' ? { phone: fields['phone'] ?? '' } : fields,
})

async function bought(
  api: LukadoApi,
  { currency, now }: LukadoOptions,
  purchase: SupplyPurchase,
): Promise<PurchaseOutcome> {
  const { maxCost, reference } = purchase
  if (maxCost && maxCost.currency !== currency)
    return refusedHere('ours', `costs are in ${maxCost.currency}, and bought is in ${currency}`)
  const exchange = await api('POST', 'order', {
    reference,
    lines: [lineOf(purchase)],
    ...(maxCost ? { max_total: decimalOf(maxCost) } : {}),
  })
  const outcome = orderOutcome(exchange, purchase, null, now())
  return outcome.kind === 'not_found' ? unknown('not found, when it was bought') : outcome
}

/** Asking never buys: what is said of a failure to ask is that nothing is known. */
async function looked(
  api: LukadoApi,
  { now }: LukadoOptions,
  { purchase, supplierId }: LookupRequest,
): Promise<LookupOutcome> {
  const exchange = await api('GET', 'order_status', { reference: purchase.reference })
  const told = envelopeIn(exchange)
  if (told?.code === '404')
    return supplierId === null
      ? { kind: 'not_found' }
      : unknown('they no longer know what they accepted', supplierId)
  if (told?.code === '1') return orderOutcome(exchange, purchase, supplierId, now())
  return unknown(told ? `${told.code}: ${cleanText(told.msg)}` : 'no answer', supplierId)
}

async function cards(
  api: LukadoApi,
  { purchase }: LookupRequest,
  found: LookupOutcome,
): Promise<CardsOutcome> {
  if (found.kind !== 'done') return { kind: 'unknown', why: `no cards: ${found.kind}` }
  return cardsOf(await api('POST', 'keys', { reference: purchase.reference }), purchase)
}

async function catalogue(api: LukadoApi, cursor: string | null): Promise<CataloguePage> {
  const told = dataIn(page, await api('GET', 'catalogue', cursor === null ? {} : { cursor }))
  if (!told) throw new SupplyUnavailable('the catalogue could not be read')
  const all = told.items.map(productOf)
  return {
    products: all.flatMap((known) => (known ? [known] : [])),
    unread: all.flatMap((known) => (known ? [] : ['?'])),
    next: told.next,
  }
}

function productOf(json: unknown): SupplyProduct | null {
  const told = listed.safeParse(json).data
  const cost = told ? exactMoney(told.price.amount, told.price.currency) : null
  if (!told || !cost) return null
  return {
    id: told.item,
    kind: told.kind,
    name: told.name,
    brand: told.brand,
    country: told.country,
    faces: facesOf(told, cost),
    fields: told.fields.map(({ key, kind, required, options }) => ({
      name: key,
      type: FIELD_TYPES[kind] ?? 'text',
      isRequired: required,
      options,
    })),
    stock: told.stock === null ? null : Number(told.stock),
  }
}

/** What any amount may be bought of, and what one of these costs; of other goods the product is the denomination. */
function facesOf({ amount }: z.infer<typeof listed>, cost: Money): Faces {
  if (!amount) return { kind: 'single', face: null, cost }
  const { currency, min, max, face } = amount
  return {
    kind: 'range',
    min: { minor: min, currency },
    max: { minor: max, currency },
    price: { face: { minor: face, currency }, cost, feeMinor: 0n },
  }
}

async function quote(
  api: LukadoApi,
  { now }: LukadoOptions,
  order: SupplyOrder,
): Promise<QuoteOutcome> {
  const exchange = await api('POST', 'quote', { lines: [lineOf(order)] })
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  const told = envelopeIn(exchange)
  if (!told) return { kind: 'unknown', why: 'no price' }
  if (told.code !== '1') return refusalOf(told, exchange, now())
  const total = dataIn(quoted, exchange)?.total
  const cost = total ? exactMoney(total.amount, total.currency) : null
  return cost ? { kind: 'quote', cost } : { kind: 'unknown', why: 'a price that is no amount' }
}

async function account(api: LukadoApi, order: SupplyOrder): Promise<AccountCheck> {
  const { quantity: _, ...asked } = lineOf(order)
  const exchange = await api('POST', 'account_validate', asked)
  const told = dataIn(checked, exchange)
  // What breaks the goods' own rules is refused there, as no question; so is an amount, which says nothing of the account.
  const refusal = envelopeIn(exchange)
  if (refusal?.code === LINE_FAULT && isOfAccount(refusal))
    return { kind: 'invalid', fault: 'account', code: LINE_FAULT, text: cleanText(refusal.msg) }
  if (!told || told.state === 'unchecked')
    return { kind: 'unchecked', why: 'the other shop could not say' }
  return told.state === 'valid'
    ? {
        kind: 'valid',
        displayName: told.name === null ? null : cleanText(told.name, 80),
        token: null,
        expiresAt: null,
        product: null,
      }
    : { kind: 'invalid', fault: 'account', code: 'invalid', text: cleanText(told.faults[0]?.msg) }
}

const refusedShape = z.object({ fields: z.array(z.object({ field: z.string() })) })

const isOfAccount = ({ data }: Envelope): boolean =>
  refusedShape.safeParse(data).data?.fields.some(({ field }) => field.startsWith('fields.')) ??
  false

async function held(api: LukadoApi): Promise<readonly SupplyBalance[]> {
  const told = dataIn(balances, await api('GET', 'balance', {}))
  const list = told?.map(({ amount, currency }) => roundedMoney(amount, currency, 'down'))
  if (!list || list.some((each) => each === null))
    throw new SupplyUnavailable('the balance could not be read')
  return list.flatMap((available) => (available ? [{ available }] : []))
}

/** `Lukado-Signature: t=<seconds>,v1=<HMAC-SHA256 of the time, a point and the body>`. */
function readNotice(
  { webhookSecret }: LukadoOptions,
  body: Uint8Array,
  headers: Headers,
  now: Date,
): SupplyNotice {
  const [, time = '', given = ''] =
    /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(headers.get('lukado-signature') ?? '') ?? []
  const signed = Buffer.concat([Buffer.from(`${time}.`), body])
  if (
    !webhookSecret ||
    !isFresh(time, now, NOTICE_WINDOW_MS) ||
    !isSameText(hmacHex('sha256', webhookSecret, signed), given)
  )
    throw new SupplyRefusal('not signed, or too old')
  const told = notice.safeParse(readJson(Buffer.from(body).toString('utf8'))).data
  return {
    eventId: told ? fingerprintOf(told.id) : fingerprintOf(body),
    kind: cleanText(told?.type, 80),
    reference: idOf(told?.data.reference),
    supplierId: null,
  }
}
