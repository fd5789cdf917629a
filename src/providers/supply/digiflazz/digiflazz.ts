import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import {
  SupplyRefusal,
  SupplyUnavailable,
  type CataloguePage,
  type PurchaseOutcome,
  type QuoteOutcome,
  type SupplyBalance,
  type SupplyCapabilities,
  type SupplyNotice,
  type SupplyOrder,
  type SupplyProduct,
  type SupplyProvider,
  type SupplyPurchase,
} from '../provider.ts'
import { decimalOf, exactMoney, roundedMoney } from '../wire/amounts.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { readJson } from '../wire/json.ts'
import { byCode, notSent, refusedHere, unknown } from '../wire/outcome.ts'
import { fingerprintOf, hmacHex, isSameText } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { CUT_OFF_WAIT_MS, DIGIFLAZZ_CODES, DIGIFLAZZ_ENDED } from './codes.ts'

export const DIGIFLAZZ_TIMEOUT_MS = 60_000

export interface DigiflazzOptions {
  readonly username: string
  readonly apiKey: Secret
  readonly webhookSecret: Secret | null
  readonly isTest: boolean
  readonly baseUrl: string
  readonly client: SupplyClient
  readonly now: () => Date
}

const DAY_SECONDS = 86_400
const CAPABILITIES: SupplyCapabilities = {
  kinds: ['topup', 'recharge', 'data', 'voucher'],
  idempotency: 'same_reference_asks_again',
  // Asking is buying what never arrived: there is no such answer.
  notFoundIsFinalAfterSeconds: null,
  // How long references are kept is not verified: a day is asked for, then a person decides.
  lookupMayBuyAfterSeconds: DAY_SECONDS,
  checksAccounts: false,
  sendsNotices: true,
  enforcesMaxCost: true,
  needsBuyerAddress: false,
  maxQuantity: 1,
  limits: { concurrent: 4, perSecond: 4 },
  answersWithinSeconds: DIGIFLAZZ_TIMEOUT_MS / 1_000,
}
const CURRENCY = 'IDR'
/** The list may be asked for only now and then. */
const PRICES_MS = 5 * 60_000

const data = z.object({
  ref_id: z.string(),
  status: z.string(),
  rc: z.string(),
  buyer_sku_code: z.string().nullish(),
  customer_no: z.string().nullish(),
  message: z.string().nullish(),
  price: z.string().nullish(),
  sn: z.string().nullish(),
})
const envelope = z.object({ data })
const item = z.object({
  buyer_sku_code: z.string(),
  product_name: z.string(),
  brand: z.string().nullish(),
  category: z.string().nullish(),
  price: z.string(),
  buyer_product_status: z.boolean().nullish(),
  seller_product_status: z.boolean().nullish(),
})
type Item = z.infer<typeof item>
const deposit = z.object({ data: z.object({ deposit: z.string() }) })

/** Indonesia's phones and games. A player's fields go out behind each other as one customer number, in the order they are declared. */
export function createDigiflazzSupplier(options: DigiflazzOptions): SupplyProvider {
  let kept: { readonly list: readonly unknown[]; readonly until: number } | null = null
  const prices = async (): Promise<readonly unknown[] | null> => {
    if (kept && kept.until > options.now().getTime()) return kept.list
    const list = await askPrices(options)
    if (list) kept = { list, until: options.now().getTime() + PRICES_MS }
    return list
  }
  const ask = async (purchase: SupplyPurchase) => {
    const body = transactionOf(options, purchase)
    return body === null
      ? // What the buyer gave may be right and have no spelling here: another supplier can take it.
        refusedHere('stock', 'no customer number')
      : outcomeOf(
          await call(options, '/v1/transaction', body),
          purchase,
          String(body.customer_no),
          options.now(),
        )
  }
  return {
    code: 'digiflazz',
    capabilities: { ...CAPABILITIES, sendsNotices: options.webhookSecret !== null },
    catalogue: async () => pageOf(await prices()),
    quote: async (order) => quoteOf(await prices(), order),
    validateAccount: async () => ({ kind: 'unchecked', why: 'Digiflazz checks no accounts' }),
    async purchase(purchase) {
      if (purchase.quantity !== 1) return refusedHere('ours', 'one at a time')
      // What Digiflazz answers when `max_price` is too low is not documented: looked at before, as far as the list goes.
      const quoted = purchase.maxCost ? quoteOf(await prices(), purchase) : null
      if (
        quoted?.kind === 'quote' &&
        (quoted.cost.currency !== purchase.maxCost?.currency ||
          quoted.cost.minor > purchase.maxCost.minor)
      )
        return refusedHere('price', 'it costs more than was allowed')
      return ask(purchase)
    },
    async lookup({ purchase, supplierId }) {
      const told = await ask(purchase)
      if (told.kind === 'failed' && !DIGIFLAZZ_ENDED.has(told.code))
        return unknown(`${told.code}: ${told.text}`)
      if (supplierId !== null && supplierId !== purchase.reference)
        return unknown('another id than before')
      return told
    },
    cards: async () => ({
      kind: 'unknown',
      why: 'Digiflazz hands nothing over but a serial number',
    }),
    balances: () => balances(options),
    readNotice: async (body, headers) => readNotice(body, headers, options.webhookSecret),
  }
}

const signOf = ({ username, apiKey }: DigiflazzOptions, end: string) =>
  createHash('md5')
    .update(username + apiKey.reveal() + end)
    .digest('hex')

const call = ({ client, baseUrl }: DigiflazzOptions, path: string, body: object) =>
  client({ method: 'POST', url: `${baseUrl}${path}`, body })

/** The same, byte for byte, each time: the one who asks again must not ask for something else. */
function transactionOf(
  options: DigiflazzOptions,
  { reference, product, fields, maxCost }: SupplyPurchase,
) {
  const number = customerNumber(fields)
  return number === null
    ? null
    : {
        username: options.username,
        buyer_sku_code: product,
        customer_no: number,
        ref_id: reference,
        sign: signOf(options, reference),
        ...(maxCost?.currency === CURRENCY
          ? { max_price: Number(decimalOf(maxCost).replace(/\..*/, '')) }
          : {}),
        ...(options.isTest ? { testing: true } : {}),
      }
}

/** Fields whose order in a customer number is known: a player, then the zone they play in. */
const IN_ORDER = ['user_id', 'zone_id'] as const

/** A phone as it is dialled inside the country, or a game's one field, or a player with a zone; what else several fields make is not guessed. */
function customerNumber({
  phone,
  country: _country,
  ...fields
}: SupplyPurchase['fields']): string | null {
  const names = Object.keys(fields)
  const isKnown = names.length === 1 || names.every((name) => IN_ORDER.some((own) => own === name))
  const ofGame = names.length === 1 ? Object.values(fields) : IN_ORDER.map((name) => fields[name])
  const number = phone !== undefined ? phone.replace(/^\+62/, '0') : isKnown ? ofGame.join('') : ''
  return /^[\w@.-]{3,80}$/.test(number) ? number : null
}

function outcomeOf(
  exchange: Exchange,
  purchase: SupplyPurchase,
  number: string,
  now: Date,
): PurchaseOutcome {
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const told = envelope.safeParse(exchange.json).data?.data
  if (!told) return unknown(`answer ${exchange.status} in an unknown form`)
  // A refusal of the whole call may leave it empty.
  const isAbout =
    told.ref_id === purchase.reference &&
    (!told.buyer_sku_code || told.buyer_sku_code === purchase.product) &&
    (!told.customer_no || told.customer_no === number)
  if (!isAbout) return unknown("another purchase's reference, product or number")
  const [status, isPending, isDone] = [told.status, told.rc === '03', told.rc === '00']
  if (status === 'Pending' && isPending) return { kind: 'accepted', supplierId: purchase.reference }
  if (status === 'Gagal' && !isPending && !isDone)
    return byCode(
      DIGIFLAZZ_CODES,
      told.rc,
      told.message,
      told.rc === '58' ? { until: new Date(now.getTime() + CUT_OFF_WAIT_MS) } : {},
    )
  if (status !== 'Sukses' || !isDone) return unknown(`status ${status} with code ${told.rc}`)
  if (!told.buyer_sku_code || !told.customer_no) return unknown('done, and not said what')
  const cost = told.price ? exactMoney(told.price, CURRENCY) : null
  if (told.price && !cost) return unknown('a price that is no amount')
  if (cost && purchase.maxCost?.currency === CURRENCY && cost.minor > purchase.maxCost.minor)
    return unknown('dearer than what was allowed')
  return { kind: 'done', supplierId: purchase.reference, cost }
}

async function askPrices(options: DigiflazzOptions): Promise<readonly unknown[] | null> {
  const exchange = await call(options, '/v1/price-list', {
    cmd: 'prepaid',
    username: options.username,
    sign: signOf(options, 'pricelist'),
  })
  const told = z
    .object({ data: z.array(z.unknown()) })
    .safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  return told?.data ?? null
}

function pageOf(list: readonly unknown[] | null): CataloguePage {
  if (!list) throw new SupplyUnavailable('the price list could not be read')
  const read = list.map((json) => item.safeParse(json).data ?? null)
  return {
    products: read.flatMap((known) => (known ? [productOf(known)] : [])),
    unread: read.flatMap((known) => (known ? [] : ['?'])),
    next: null,
  }
}

const isSold = (known: Item) =>
  known.buyer_product_status !== false && known.seller_product_status !== false

function productOf(known: Item): SupplyProduct {
  const isPhone = known.category === 'Pulsa' || known.category === 'Data'
  return {
    id: known.buyer_sku_code,
    kind: known.category === 'Pulsa' ? 'recharge' : known.category === 'Data' ? 'data' : 'topup',
    name: known.product_name,
    brand: known.brand ?? null,
    country: isPhone ? 'ID' : null,
    faces: { kind: 'single', face: null, cost: exactMoney(known.price, CURRENCY) },
    fields: [
      {
        name: isPhone ? 'phone' : 'customer_no',
        type: isPhone ? 'phone' : 'text',
        isRequired: true,
        options: [],
      },
    ],
    stock: isSold(known) ? null : 0,
  }
}

function quoteOf(
  list: readonly unknown[] | null,
  { product, quantity }: SupplyOrder,
): QuoteOutcome {
  if (!list) return { kind: 'unknown', why: 'the price list could not be read' }
  const known = list
    .map((json) => item.safeParse(json).data)
    .find((each) => each?.buyer_sku_code === product)
  if (!known || !isSold(known)) return refusedHere('stock', 'not in the price list')
  const cost = exactMoney(known.price, CURRENCY)
  return cost
    ? { kind: 'quote', cost: { ...cost, minor: cost.minor * BigInt(quantity) } }
    : { kind: 'unknown', why: 'a price that is no amount' }
}

async function balances(options: DigiflazzOptions): Promise<readonly SupplyBalance[]> {
  const exchange = await call(options, '/v1/cek-saldo', {
    cmd: 'deposit',
    username: options.username,
    sign: signOf(options, 'depo'),
  })
  const told = deposit.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  const available = told ? roundedMoney(told.data.deposit, CURRENCY, 'down') : null
  if (!available) throw new SupplyUnavailable('the balance could not be read')
  return [{ available }]
}

function readNotice(body: Uint8Array, headers: Headers, key: Secret | null): SupplyNotice {
  if (
    !key ||
    !isSameText(`sha1=${hmacHex('sha1', key, body)}`, headers.get('x-hub-signature') ?? '')
  )
    throw new SupplyRefusal('the signature is not theirs')
  const told = envelope.safeParse(readJson(Buffer.from(body).toString('utf8'))).data?.data
  return {
    eventId: fingerprintOf(body),
    kind: cleanText(headers.get('x-digiflazz-event') ?? '', 80),
    reference: idOf(told?.ref_id),
    supplierId: null,
    ...(told?.status === 'Gagal' ? { says: 'failed' } : {}),
  }
}
