import { z } from 'zod'
import type { Money } from '#kernel/money.ts'
import { secret } from '#platform/secret.ts'
import type {
  CardsOutcome,
  Faces,
  LookupOutcome,
  LookupRequest,
  PurchaseOutcome,
  QuoteOutcome,
  SupplyOrder,
  SupplyProduct,
  SupplyPurchase,
} from '../provider.ts'
import { addDecimals, decimalOf, exactMoney, isSame, roundedMoney } from '../wire/amounts.ts'
import { failed, refusedHere, unknown } from '../wire/outcome.ts'
import { idOf } from '../wire/text.ts'
import { errorOf, type ReloadlyApi } from './api.ts'
import { findInReport } from './report.ts'

const decimals = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? [])
const product = z.object({
  productId: z.string(),
  productName: z.string(),
  senderFee: z.string().nullish(),
  discountPercentage: z.string().nullish(),
  denominationType: z.enum(['FIXED', 'RANGE']),
  recipientCurrencyCode: z.string(),
  senderCurrencyCode: z.string(),
  minRecipientDenomination: z.string().nullish(),
  maxRecipientDenomination: z.string().nullish(),
  fixedRecipientDenominations: decimals,
  fixedRecipientToSenderDenominationsMap: z.record(z.string(), z.string()).nullish(),
  brand: z.object({ brandName: z.string() }).nullish(),
  country: z.object({ isoName: z.string() }),
})
type Product = z.infer<typeof product>

const order = z.object({
  transactionId: z.string(),
  status: z.string(),
  customIdentifier: z.string().nullish(),
  amount: z.string(),
  discount: z.string().nullish(),
  totalFee: z.string().nullish(),
  fee: z.string().nullish(),
  currencyCode: z.string(),
  errorCode: z.string().nullish(),
  product: z.object({
    productId: z.string(),
    quantity: z.string(),
    unitPrice: z.string(),
    currencyCode: z.string(),
  }),
})
const card = z.object({ cardNumber: z.string().nullish(), pinCode: z.string().nullish() })

export function cardProductOf(json: unknown): SupplyProduct | null {
  const known = product.safeParse(json).data
  const faces = known ? facesOf(known) : null
  return known && faces
    ? {
        id: known.productId,
        kind: 'giftcard',
        name: known.productName,
        brand: known.brand?.brandName ?? null,
        country: known.country.isoName,
        faces,
        fields: [],
        stock: null,
      }
    : null
}

function facesOf(known: Product): Faces | null {
  const currency = known.recipientCurrencyCode
  if (known.denominationType === 'RANGE') {
    const min = exactMoney(known.minRecipientDenomination ?? '', currency)
    const max = exactMoney(known.maxRecipientDenomination ?? '', currency)
    return min && max ? { kind: 'range', min, max, ...rangePrice(known, max) } : null
  }
  const faces = known.fixedRecipientDenominations.map((text) => exactMoney(text, currency))
  return faces.every((face) => face !== null)
    ? {
        kind: 'fixed',
        amounts: faces.map((face) => ({ face, cost: priceOf(known, decimalOf(face), 1) })),
      }
    : null
}

/** Told for a range where it is in our currency: the rate of others is told for listed amounts alone. */
function rangePrice(known: Product, face: Money) {
  const cost = priceOf({ ...known, senderFee: null }, decimalOf(face), 1)
  const fee = roundedMoney(known.senderFee ?? '0', known.senderCurrencyCode, 'up')
  return cost && fee ? { price: { face, cost, feeMinor: fee.minor } } : {}
}

/** The fee is per card, and kills the margin of small ones. That the discount is a percentage of the price without it is not verified. */
function priceOf(known: Product, face: string, quantity: number) {
  const entries = Object.entries(known.fixedRecipientToSenderDenominationsMap ?? {})
  const price = entries.find(([key]) =>
    isSame(
      exactMoney(key, known.recipientCurrencyCode),
      exactMoney(face, known.recipientCurrencyCode),
    ),
  )?.[1]
  const same = known.recipientCurrencyCode === known.senderCurrencyCode ? face : undefined
  const each = price ?? same
  if (each === undefined) return null
  const kept = roundedMoney(
    addDecimals(['100'], [known.discountPercentage ?? '0']) ?? '',
    'USD',
    'up',
  )
  const goods = roundedMoney(each, known.senderCurrencyCode, 'up')
  const fee = roundedMoney(known.senderFee ?? '0', known.senderCurrencyCode, 'up')
  if (!kept || !goods || !fee) return null
  const one = (goods.minor * kept.minor + 9_999n) / 10_000n + fee.minor
  return { minor: one * BigInt(quantity), currency: known.senderCurrencyCode }
}

async function prepare(api: ReloadlyApi, asked: SupplyOrder, now: () => Date) {
  if (!/^\d{1,12}$/.test(asked.product) || !asked.face)
    return refusedHere('ours', 'no product of Reloadly')
  const exchange = await api('giftcards', { method: 'GET', path: `/products/${asked.product}` })
  const known = product.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  if (!known || known.productId !== asked.product) return errorOf(exchange, now())
  if (asked.face.currency !== known.recipientCurrencyCode)
    return refusedHere('ours', 'the card has another currency')
  return { known, face: asked.face, cost: priceOf(known, decimalOf(asked.face), asked.quantity) }
}

export async function quoteCards(
  api: ReloadlyApi,
  asked: SupplyOrder,
  now: () => Date,
): Promise<QuoteOutcome> {
  const ready = await prepare(api, asked, now)
  if ('kind' in ready) return ready
  return ready.cost
    ? { kind: 'quote', cost: ready.cost }
    : { kind: 'unknown', why: 'the product tells no price' }
}

/** Without a recipient's address, or Reloadly mails the code itself. */
export async function buyCards(
  api: ReloadlyApi,
  purchase: SupplyPurchase,
  now: () => Date,
): Promise<PurchaseOutcome> {
  const ready = await prepare(api, purchase, now)
  if ('kind' in ready)
    return ready.kind === 'unknown' ? failed('supplier', 'not_sent', ready.why) : ready
  const { known, face, cost } = ready
  if (
    purchase.maxCost &&
    (cost?.currency !== purchase.maxCost.currency || cost.minor > purchase.maxCost.minor)
  )
    return refusedHere('price', 'it costs more than was allowed')
  const exchange = await api('giftcards', {
    method: 'POST',
    path: '/orders',
    body: {
      productId: Number(known.productId),
      countryCode: known.country.isoName,
      quantity: purchase.quantity,
      unitPrice: Number(decimalOf(face)),
      customIdentifier: purchase.reference,
      preOrder: false,
    },
  })
  const isOrder = exchange.kind === 'answer' && order.safeParse(exchange.json).success
  return isOrder ? outcomeOf(exchange.json, purchase, null) : errorOf(exchange, now())
}

export function findCards(api: ReloadlyApi, request: LookupRequest): Promise<LookupOutcome> {
  return findInReport(
    api,
    { api: 'giftcards', path: '/reports/transactions', read: outcomeOf },
    request,
  )
}

function outcomeOf(
  json: unknown,
  purchase: SupplyPurchase,
  expectedId: string | null,
): PurchaseOutcome {
  const parsed = order.safeParse(json)
  if (!parsed.success) return unknown('an order in an unknown form')
  const told = parsed.data
  const supplierId = idOf(told.transactionId)
  if (!supplierId) return unknown('an order without an id')
  if (told.errorCode) return unknown('an order with an error')
  if (told.customIdentifier !== purchase.reference) return unknown("another purchase's reference")
  if (expectedId !== null && supplierId !== expectedId) return unknown('another id than before')
  const unit = exactMoney(told.product.unitPrice, told.product.currencyCode)
  if (
    told.product.productId !== purchase.product ||
    told.product.quantity !== String(purchase.quantity) ||
    !isSame(unit, purchase.face)
  )
    return unknown('another product, amount or number of cards')
  if (told.status === 'PROCESSING' || told.status === 'PENDING')
    return { kind: 'accepted', supplierId }
  if (told.status === 'FAILED' || told.status === 'REFUNDED')
    return failed('supplier', told.status, 'the order did not go through', { supplierId })
  if (told.status !== 'SUCCESSFUL') return unknown(`the status ${told.status}`, supplierId)
  // That the amount is without the fee is not verified: the cost is then told too high, never too low.
  const spent = addDecimals([told.amount, told.totalFee ?? told.fee ?? '0'], [told.discount ?? '0'])
  const cost = spent === null ? null : roundedMoney(spent, told.currencyCode, 'up')
  return cost ? { kind: 'done', supplierId, cost } : unknown('a cost that is no amount', supplierId)
}

/** A list of them; the published schema shows one alone, so that both are read. */
export async function takeCards(
  api: ReloadlyApi,
  { purchase, supplierId }: LookupRequest,
): Promise<CardsOutcome> {
  if (supplierId === null || !/^\d{1,20}$/.test(supplierId))
    return { kind: 'unknown', why: 'an order without an id' }
  const exchange = await api('giftcards', {
    method: 'GET',
    path: `/orders/transactions/${supplierId}/cards`,
  })
  if (exchange.kind !== 'answer' || exchange.status !== 200)
    return { kind: 'unknown', why: 'the cards could not be read' }
  const list = z
    .array(card)
    .safeParse(Array.isArray(exchange.json) ? exchange.json : [exchange.json]).data
  const cards = (list ?? [])
    .filter(({ cardNumber, pinCode }) => Boolean(cardNumber) || Boolean(pinCode))
    .map(({ cardNumber, pinCode }) => ({
      id: null,
      code: cardNumber ? secret(cardNumber) : null,
      pin: pinCode ? secret(pinCode) : null,
      serial: null,
      url: null,
      image: null,
      expiresOn: null,
    }))
  return cards.length === purchase.quantity
    ? { kind: 'cards', cards }
    : { kind: 'unknown', why: `${cards.length} cards of ${purchase.quantity}` }
}
