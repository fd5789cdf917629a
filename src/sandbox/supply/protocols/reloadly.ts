import { createHmac, randomUUID } from 'node:crypto'
import { divide, parseDecimal } from '#kernel/money.ts'
import type { Books, Bought, Refusal, Sale } from '../books.ts'
import type { Good } from '../goods.ts'
import { dollars, numberOf, type Market, type Notice } from '../market.ts'
import type { Asked, Protocol, Reply } from '../port.ts'
import { SCENARIOS } from '../scenarios.ts'

const CODES: Readonly<Record<Refusal, string | null>> = {
  account: 'INVALID_RECIPIENT_PHONE',
  wait: 'PHONE_RECENTLY_RECHARGED',
  unavailable: 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE',
  balance: 'INSUFFICIENT_BALANCE',
  price: null,
  undocumented: 'MOON_IN_THE_WRONG_HOUSE',
  duplicate: 'CUSTOM_IDENTIFIER_ALREADY_USED',
}
const TOKEN_SECONDS = 86_400

interface Operator {
  readonly id: number
  readonly name: string
  readonly country: string
  readonly currency: string
  readonly isData: boolean
  readonly goods: readonly Good[]
}

/** Reloadly's airtime and gift cards, as published; prices in US dollars. */
export function reloadlyProtocol({ books, goods, secret }: Market): Protocol {
  const tokens = new Map<string, string>()
  const operators = operatorsOf([...goods.values()])
  return (asked) => {
    if (asked.path === '/oauth/token') return grant(asked, secret, tokens)
    const part = /giftcards/.test(asked.headers.accept ?? '') ? 'giftcards' : 'topups'
    if (tokens.get(/^Bearer (.+)$/.exec(asked.headers.authorization ?? '')?.[1] ?? '') !== part)
      return refuse(401, 'INVALID_TOKEN', asked)
    if (asked.path === '/accounts/balance')
      return {
        status: 200,
        body: `{"balance":${dollars(books.balance('reloadly'))}123,"currencyCode":"USD","currencyName":"US Dollar"}`,
      }
    return part === 'topups'
      ? topups({ books, goods, secret }, operators, asked)
      : giftCards({ books, goods, secret }, asked)
  }
}

function grant({ text, path }: Asked, secret: string, tokens: Map<string, string>): Reply {
  const told = JSON.parse(text) as Record<string, string>
  if (told.client_secret !== secret)
    return {
      status: 401,
      body: { message: 'Access denied', errorCode: 'INVALID_CREDENTIALS', path },
    }
  const token = randomUUID()
  tokens.set(token, told.audience?.includes('giftcards') ? 'giftcards' : 'topups')
  return {
    status: 200,
    body: { access_token: token, expires_in: TOKEN_SECONDS, token_type: 'Bearer', scope: '' },
  }
}

function refuse(status: number, errorCode: string | null, { path }: Asked): Reply {
  const message = errorCode ?? 'Invalid price, please ensure you selected the right price.'
  return {
    status,
    body: {
      timeStamp: '2026-01-01 00:00:00',
      message,
      path,
      errorCode,
      infoLink: null,
      details: [],
    },
  }
}

function operatorsOf(goods: readonly Good[]): readonly Operator[] {
  const groups = Map.groupBy(
    goods.filter(
      ({ kind, country }) => (kind === 'recharge' || kind === 'data') && country !== null,
    ),
    ({ group, kind }) => `${group}:${kind}`,
  )
  return [...groups].map(([key, own]) => ({
    id: numberOf(key),
    name: `${own[0]?.groupName}${key.endsWith(':data') ? ' Data' : ''}`,
    country: own[0]?.country ?? '',
    currency: own[0]?.face?.currency ?? 'USD',
    isData: key.endsWith(':data'),
    goods: own,
  }))
}

/** Bundles are told apart by their price in our currency, as they have no face amount. */
function operatorObject({ id, name, country, currency, isData, goods }: Operator) {
  const local = isData ? [] : goods.flatMap(({ face }) => (face ? [Number(face.amount)] : []))
  return {
    operatorId: id,
    name,
    bundle: false,
    data: isData,
    pin: false,
    supportsLocalAmounts: !isData,
    denominationType: 'FIXED',
    senderCurrencyCode: 'USD',
    destinationCurrencyCode: isData ? 'USD' : currency,
    internationalDiscount: 0,
    localDiscount: 0,
    minAmount: null,
    maxAmount: null,
    country: { isoName: country, name: country },
    fx: { rate: Number(rateOf(goods)), currencyCode: currency },
    fixedAmounts: goods.map(({ cost }) => Number(dollars(cost))),
    localFixedAmounts: local,
    fixedAmountsDescriptions: Object.fromEntries(
      goods.flatMap(({ cost, bundle }) => (bundle === null ? [] : [[dollars(cost), bundle]])),
    ),
  }
}

/** What a dollar gives, so that every amount costs about what the good does. */
function rateOf(goods: readonly Good[]): string {
  const good = goods.at(-1)
  return good?.face ? (Number(good.face.amount) / Number(dollars(good.cost))).toFixed(5) : '1'
}

function centsAt(rate: string, amount: number): bigint {
  const [local, perDollar] = [parseDecimal(String(amount)), parseDecimal(rate)]
  return divide(
    local.numerator * perDollar.denominator * 100n,
    local.denominator * perDollar.numerator,
    'up',
  )
}

async function topups(
  market: Market,
  operators: readonly Operator[],
  asked: Asked,
): Promise<Reply | null> {
  const { path, query, method } = asked
  const [, one] = /^\/operators\/(\d+)$/.exec(path) ?? []
  const [, phone] = /^\/operators\/auto-detect\/phone\/(\d+)\/countries\/[A-Z]{2}$/.exec(path) ?? []
  const byId = (id: number) => operators.find((known) => known.id === id)
  if (phone !== undefined) return detect(operators, phone, asked)
  if (one !== undefined) {
    const known = byId(Number(one))
    return known
      ? { status: 200, body: operatorObject(known) }
      : refuse(404, 'OPERATOR_NOT_FOUND', asked)
  }
  if (path === '/operators') return page(operators.map(operatorObject), query)
  if (path === '/topups/reports/transactions')
    return page(
      reported(market.books, query, 'operatorId').map((sale) => transaction(sale, null)),
      query,
    )
  if (method !== 'POST' || path !== '/topups') return refuse(404, 'NOT_FOUND', asked)
  const told = JSON.parse(asked.text) as {
    readonly operatorId: number
    readonly amount: number
    readonly useLocalAmount?: boolean
    readonly customIdentifier: string
    readonly recipientPhone: { readonly countryCode: string; readonly number: string }
  }
  const known = byId(told.operatorId)
  const currency = told.useLocalAmount ? (known?.currency ?? '') : 'USD'
  const good = known?.goods.find(({ face, cost }) =>
    told.useLocalAmount
      ? Number(face?.amount) === told.amount
      : Number(dollars(cost)) === told.amount,
  )
  if (!known || !good) return refuse(400, 'INVALID_AMOUNT_FOR_OPERATOR', asked)
  const bought = await market.books.buy({
    supplier: 'reloadly',
    reference: told.customIdentifier,
    good,
    quantity: 1,
    fields: { phone: told.recipientPhone.number, operatorId: String(known.id) },
    account: told.recipientPhone.number,
    face: { amount: String(told.amount), currency },
    cost: told.useLocalAmount ? centsAt(rateOf(known.goods), told.amount) : good.cost,
    isReferenceUnique: true,
  })
  return answer(bought, asked, transaction)
}

function answer(
  bought: Bought,
  asked: Asked,
  show: (sale: Sale, lie: string | null) => object,
): Reply | null {
  if ('sale' in bought) return { status: 200, body: show(bought.sale, bought.lie), way: bought.way }
  return bought.refused === 'lost_request' ? null : refuse(400, CODES[bought.refused], asked)
}

function detect(operators: readonly Operator[], phone: string, asked: Asked): Reply {
  const found = operators.find(
    ({ isData, goods: [good] }) =>
      !isData && good?.prefixes.some((prefix) => phone.startsWith(prefix)),
  )
  return phone.endsWith('9005') || !found
    ? refuse(404, 'COULD_NOT_AUTO_DETECT_OPERATOR', asked)
    : { status: 200, body: operatorObject(found) }
}

const STATES = {
  pending: 'PROCESSING',
  done: 'SUCCESSFUL',
  failed: 'REFUNDED',
  returned: 'REFUNDED',
} as const

function transaction(sale: Sale, lie: string | null) {
  const { amount = '0', currency = 'USD' } = sale.face ?? {}
  return {
    transactionId: Number(sale.id),
    status: STATES[sale.state],
    operatorTransactionId: null,
    customIdentifier: lie === 'reference' ? randomUUID() : sale.reference,
    recipientPhone: sale.fields.phone,
    countryCode: null,
    operatorId: Number(sale.fields.operatorId),
    discount: 0,
    discountCurrencyCode: 'USD',
    requestedAmount: Number(dollars(sale.cost)),
    requestedAmountCurrencyCode: currency === 'USD' && lie === 'amount' ? 'EUR' : 'USD',
    deliveredAmount: lie === 'amount' ? Number(amount) + 1 : Number(amount),
    deliveredAmountCurrencyCode: currency,
    transactionDate: plainTime(sale.at),
    errorCode: lie === 'contradiction' ? 'TOPUP_TRANSACTION_FAILED' : null,
  }
}

const isCard = ({ kind }: Good) => kind === 'giftcard'
const isScenario = (sku: string) => SCENARIOS.some(({ number }) => String(number) === sku)
const cardId = (good: Good) => (isScenario(good.sku) ? Number(good.sku) : numberOf(good.sku))

function cardObject(good: Good) {
  const face = Number(good.face?.amount ?? dollars(good.cost))
  return {
    productId: cardId(good),
    productName: good.name,
    global: good.country === null,
    senderFee: 0.5,
    discountPercentage: 0,
    denominationType: 'FIXED',
    recipientCurrencyCode: good.face?.currency ?? 'USD',
    senderCurrencyCode: 'USD',
    fixedRecipientDenominations: [face],
    fixedRecipientToSenderDenominationsMap: { [face.toFixed(2)]: Number(dollars(good.cost)) },
    brand: { brandId: numberOf(good.group), brandName: good.groupName },
    country: { isoName: good.country ?? 'US', name: good.country ?? 'US' },
  }
}

async function giftCards({ books, goods }: Market, asked: Asked): Promise<Reply | null> {
  const { path, query, method } = asked
  const known = [...goods.values()].filter(isCard)
  const [, one] = /^\/products\/(\d+)$/.exec(path) ?? []
  const [, order] = /^\/orders\/transactions\/(\d+)\/cards$/.exec(path) ?? []
  if (order !== undefined) {
    const sale = books.byId('reloadly', order)
    const cards = sale?.state === 'done' ? sale.cards : []
    return { status: 200, body: cards.map(({ code, pin }) => ({ cardNumber: code, pinCode: pin })) }
  }
  if (one !== undefined) {
    const good = known.find((each) => cardId(each) === Number(one))
    return good ? { status: 200, body: cardObject(good) } : refuse(404, 'PRODUCT_NOT_FOUND', asked)
  }
  if (path === '/products') return page(known.map(cardObject), query)
  if (path === '/reports/transactions')
    return page(
      reported(books, query, 'productId').map((sale) => orderObject(sale, null)),
      query,
    )
  if (method !== 'POST' || path !== '/orders') return refuse(404, 'NOT_FOUND', asked)
  const told = JSON.parse(asked.text) as {
    readonly productId: number
    readonly quantity: number
    readonly unitPrice: number
    readonly customIdentifier: string
  }
  const good = known.find((each) => cardId(each) === told.productId)
  if (!good || Number(cardObject(good).fixedRecipientDenominations[0]) !== told.unitPrice)
    return refuse(400, null, asked)
  const bought = await books.buy({
    supplier: 'reloadly',
    reference: told.customIdentifier,
    good,
    quantity: told.quantity,
    fields: { productId: String(told.productId) },
    account: null,
    face: { amount: String(told.unitPrice), currency: good.face?.currency ?? 'USD' },
    cost: good.cost + 50n,
    isReferenceUnique: true,
  })
  return answer(bought, asked, orderObject)
}

function orderObject(sale: Sale, lie: string | null) {
  const fee = 50n * BigInt(sale.quantity)
  return {
    transactionId: Number(sale.id),
    amount: Number(dollars(BigInt(sale.cost) - fee)),
    discount: 0,
    currencyCode: 'USD',
    fee: 0.5,
    smsFee: 0,
    totalFee: Number(dollars(fee)),
    recipientEmail: null,
    customIdentifier: lie === 'reference' ? randomUUID() : sale.reference,
    status: STATES[sale.state],
    transactionCreatedTime: plainTime(sale.at),
    errorCode: lie === 'contradiction' ? 'INSUFFICIENT_BALANCE' : undefined,
    product: {
      productId: Number(sale.fields.productId),
      quantity: sale.quantity + (lie === 'amount' ? 1 : 0),
      unitPrice: Number(sale.face?.amount),
      currencyCode: sale.face?.currency,
    },
  }
}

const plainTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** What is asked for by our reference, or by its time. @param field what its purchases have and those of the other part have not */
function reported(books: Books, query: URLSearchParams, field: string): readonly Sale[] {
  const reference = query.get('customIdentifier')
  if (reference !== null) return books.find('reloadly', reference)
  const [from, to] = [query.get('startDate') ?? '', query.get('endDate') ?? '9']
  return books.sales().filter((sale) => {
    const at = plainTime(sale.at)
    return sale.supplier === 'reloadly' && field in sale.fields && at >= from && at <= to
  })
}

function page(list: readonly object[], query: URLSearchParams): Reply {
  const [size, at] = [Number(query.get('size') ?? 200), Number(query.get('page') ?? 1)]
  return {
    status: 200,
    body: {
      content: list.slice((at - 1) * size, at * size),
      totalElements: list.length,
      totalPages: Math.max(1, Math.ceil(list.length / size)),
    },
  }
}

/** As three independent implementations of shops read it. */
export function reloadlyNotice(sale: Sale, secret: string): Notice {
  const isCards = sale.cards.length > 0
  const body = JSON.stringify({
    type: isCards ? 'giftcard_transaction.status' : 'airtime_transaction.status',
    data: {
      customIdentifier: sale.reference,
      transactionId: Number(sale.id),
      status: STATES[sale.state],
    },
  })
  const timestamp = String(Date.now())
  return {
    supplier: 'reloadly',
    body,
    headers: {
      'x-reloadly-request-timestamp': timestamp,
      'x-reloadly-signature': createHmac('sha256', secret)
        .update(`${body}:${timestamp}`)
        .digest('hex'),
    },
  }
}
