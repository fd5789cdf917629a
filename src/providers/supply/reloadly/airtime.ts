import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import type {
  AccountCheck,
  LookupOutcome,
  LookupRequest,
  PurchaseOutcome,
  QuoteOutcome,
  SupplyCard,
  SupplyFailure,
  SupplyOrder,
  SupplyPurchase,
  SupplyUnknown,
} from '../provider.ts'
import { addDecimals, decimalOf, exactMoney, isSame, roundedMoney } from '../wire/amounts.ts'
import { failed, refusedHere, unknown } from '../wire/outcome.ts'
import { idOf } from '../wire/text.ts'
import { errorOf, type ReloadlyApi } from './api.ts'
import { findInReport } from './report.ts'
import { costOf, isLocalAmount, operatorId, readOperator, type Operator } from './operators.ts'

const transaction = z.object({
  transactionId: z.string(),
  status: z.string(),
  customIdentifier: z.string().nullish(),
  operatorId: z.string().nullish(),
  recipientPhone: z.string().nullish(),
  discount: z.string().nullish(),
  requestedAmount: z.string(),
  requestedAmountCurrencyCode: z.string(),
  deliveredAmount: z.string().nullish(),
  deliveredAmountCurrencyCode: z.string().nullish(),
  errorCode: z.string().nullish(),
  pinDetail: z
    .object({
      serial: z.string().nullish(),
      code: z.string().nullish(),
      validity: z.string().nullish(),
    })
    .nullish(),
})
type Transaction = z.infer<typeof transaction>

const digits = (text: string) => text.replace(/\D/g, '')

export async function buyAirtime(
  api: ReloadlyApi,
  purchase: SupplyPurchase,
  now: () => Date,
): Promise<PurchaseOutcome> {
  const ready = await prepare(api, purchase, now)
  if ('kind' in ready)
    return ready.kind === 'unknown' ? failed('supplier', 'not_sent', ready.why) : ready
  const { known, isLocal, phone, country } = ready
  const cost = purchase.face ? costOf(known, purchase.face) : null
  if (
    purchase.maxCost &&
    (!cost || cost.currency !== purchase.maxCost.currency || cost.minor > purchase.maxCost.minor)
  )
    return refusedHere('price', 'it costs more than was allowed')
  const exchange = await api('topups', {
    method: 'POST',
    path: '/topups',
    body: {
      operatorId: Number(operatorId(known)),
      amount: Number(decimalOf(ready.face)),
      useLocalAmount: isLocal,
      customIdentifier: purchase.reference,
      recipientPhone: { countryCode: country, number: phone },
    },
  })
  return exchange.kind === 'answer' && isTransaction(exchange.json)
    ? outcomeOf(exchange.json, purchase, null)
    : errorOf(exchange, now())
}

/** A transaction that also names an error contradicts itself and is neither. */
const isTransaction = (json: unknown): json is { readonly transactionId: unknown } =>
  typeof json === 'object' && json !== null && 'transactionId' in json

interface Ready {
  readonly known: Operator
  readonly isLocal: boolean
  readonly face: NonNullable<SupplyOrder['face']>
  readonly phone: string
  readonly country: string
}

async function prepare(
  api: ReloadlyApi,
  order: SupplyOrder,
  now: () => Date,
): Promise<Ready | SupplyFailure | SupplyUnknown> {
  const { phone = '', country = '' } = order.fields
  if (!/^\+\d{6,15}$/.test(phone) || !/^[A-Z]{2}$/.test(country))
    return refusedHere('customer', 'no phone number with its country')
  if (order.quantity !== 1) return refusedHere('ours', 'one top-up at a time')
  if (!/^\d{1,12}$/.test(order.product)) return refusedHere('ours', 'no operator of Reloadly')
  const exchange = await api('topups', { method: 'GET', path: `/operators/${order.product}` })
  const known = exchange.kind === 'answer' ? readOperator(exchange.json) : null
  if (!known || operatorId(known) !== order.product) return errorOf(exchange, now())
  const isLocal = isLocalAmount(known, order)
  if (isLocal === null || !order.face)
    return refusedHere('ours', 'the operator takes no such amount')
  return { known, isLocal, face: order.face, phone: digits(phone), country }
}

export async function quoteAirtime(
  api: ReloadlyApi,
  order: SupplyOrder,
  now: () => Date,
): Promise<QuoteOutcome> {
  const ready = await prepare(api, order, now)
  if ('kind' in ready) return ready
  const cost = costOf(ready.known, ready.face)
  return cost ? { kind: 'quote', cost } : { kind: 'unknown', why: 'the operator tells no rate' }
}

export function findAirtime(api: ReloadlyApi, request: LookupRequest): Promise<LookupOutcome> {
  return findInReport(
    api,
    { api: 'topups', path: '/topups/reports/transactions', read: outcomeOf },
    request,
  )
}

/** What one transaction says of what we bought. Anything that does not fit it, in any point, says nothing. */
function outcomeOf(
  json: unknown,
  purchase: SupplyPurchase,
  expectedId: string | null,
): PurchaseOutcome {
  const parsed = transaction.safeParse(json)
  if (!parsed.success) return unknown('a transaction in an unknown form')
  const told = parsed.data
  const supplierId = idOf(told.transactionId)
  if (!supplierId) return unknown('a transaction without an id')
  const fault = contradictionOf(told, purchase, expectedId)
  if (fault) return unknown(fault)
  if (told.status === 'PROCESSING' || told.status === 'PENDING')
    return { kind: 'accepted', supplierId }
  if (told.status === 'FAILED' || told.status === 'REFUNDED')
    return failed('supplier', told.status, 'the top-up did not go through', { supplierId })
  if (told.status !== 'SUCCESSFUL') return unknown(`the status ${told.status}`, supplierId)
  const spent = addDecimals([told.requestedAmount], [told.discount ?? '0'])
  const cost = spent === null ? null : roundedMoney(spent, told.requestedAmountCurrencyCode, 'up')
  if (!cost) return unknown('a cost that is no amount', supplierId)
  const cards = pinOf(told)
  return { kind: 'done', supplierId, cost, ...(cards ? { cards } : {}) }
}

function contradictionOf(
  told: Transaction,
  { reference, product, fields, face }: SupplyPurchase,
  expectedId: string | null,
): string | null {
  if (told.errorCode) return 'a transaction with an error'
  if (told.customIdentifier !== reference) return "another purchase's reference"
  if (expectedId !== null && told.transactionId !== expectedId) return 'another id than before'
  if (told.operatorId !== product) return 'another operator'
  // Some answers leave the country's digits out.
  const [asked, named] = [digits(fields.phone ?? ''), digits(told.recipientPhone ?? '')]
  if (named.length < 5 || !asked.endsWith(named)) return 'another phone number'
  const requested = exactMoney(told.requestedAmount, told.requestedAmountCurrencyCode)
  const delivered = exactMoney(told.deliveredAmount ?? '', told.deliveredAmountCurrencyCode ?? '')
  // Whether an operator's tax may make what is delivered less is not verified: a person then decides.
  return isSame(requested, face) || isSame(delivered, face) ? null : 'another amount'
}

function pinOf({ pinDetail }: Transaction): readonly SupplyCard[] | null {
  if (!pinDetail?.code) return null
  return [
    {
      id: null,
      code: secret(pinDetail.code),
      pin: null,
      serial: pinDetail.serial ?? null,
      url: null,
      image: null,
      expiresOn: null,
    },
  ]
}

/** The operator of a number, which may differ from what the shopper chose. */
export async function detectOperator(
  api: ReloadlyApi,
  { product, fields }: SupplyOrder,
  now: () => Date,
): Promise<AccountCheck> {
  const { phone = '', country = '' } = fields
  if (!/^\+\d{6,15}$/.test(phone) || !/^[A-Z]{2}$/.test(country))
    return {
      kind: 'invalid',
      fault: 'not_valid',
      code: 'not_sent',
      text: 'no phone number with its country',
    }
  const exchange = await api('topups', {
    method: 'GET',
    path: `/operators/auto-detect/phone/${digits(phone)}/countries/${country}`,
  })
  const known = exchange.kind === 'answer' ? readOperator(exchange.json) : null
  if (known) {
    const found = operatorId(known)
    return found === product || product === ''
      ? { kind: 'valid', displayName: known.name, token: null, expiresAt: null, product: found }
      : { kind: 'invalid', fault: 'operator', code: found, text: known.name }
  }
  const error = errorOf(exchange, now())
  return error.kind === 'failed' && error.class === 'customer'
    ? {
        kind: 'invalid',
        fault: error.code === 'COULD_NOT_AUTO_DETECT_OPERATOR' ? 'operator' : 'account',
        code: error.code,
        text: error.text,
      }
    : { kind: 'unchecked', why: error.kind === 'failed' ? error.code : error.why }
}
