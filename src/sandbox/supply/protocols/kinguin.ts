import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { renderSVG } from 'uqr'
import type { Refusal, Sale } from '../books.ts'
import type { Good } from '../goods.ts'
import { dollars, soldBetween, type Market, type Notice } from '../market.ts'
import type { Asked, Protocol, Reply } from '../port.ts'

const PATH = '/esa/api'
const KINDS: Readonly<Record<Refusal, readonly [kind: string, property: string | null]>> = {
  account: ['OrderNotSupported', null],
  wait: ['ResourceLock', null],
  unavailable: ['ProductUnavailable', null],
  balance: ['InsufficientBalance', null],
  price: ['ConstraintViolation', 'products[0].price'],
  undocumented: ['MoonInTheWrongHouse', null],
  duplicate: ['ConstraintViolation', 'orderExternalId'],
}
const STATES = {
  pending: 'processing',
  done: 'completed',
  failed: 'canceled',
  returned: 'refunded',
} as const
const DAY_MS = 86_400_000
const refuse = (refusal: Refusal): Reply => {
  const [kind, propertyPath] = KINDS[refusal]
  return problem(400, kind, propertyPath)
}
const problem = (status: number, kind: string, propertyPath: string | null = null): Reply => ({
  status,
  body: {
    kind,
    status,
    title: kind,
    detail: `${kind} in the sandbox`,
    propertyPath,
    timestamp: new Date().toISOString(),
  },
})
/** Its products have no colons in their names. */
const idOf = ({ sku }: Good) => sku.replaceAll(':', '_')

/** Kinguin's eCommerce API, as published; what costs a cent in the books is one of a euro here. */
export function kinguinProtocol({ books, goods, secret }: Market): Protocol {
  const sold = [...goods.values()].filter(({ kind }) => kind === 'key' || kind === 'giftcard')
  const byId = new Map(sold.map((good) => [idOf(good), good]))
  return async (asked) => {
    if (asked.headers['x-api-key'] !== secret) return problem(401, 'Authorization')
    const path = asked.path.startsWith(PATH) ? asked.path.slice(PATH.length) : ''
    const [, one] = /^\/v2\/products\/([\w-]+)$/.exec(path) ?? []
    const [, keys] = /^\/v2\/order\/(\d+)\/keys$/.exec(path) ?? []
    const [, back] = /^\/v2\/order\/(\d+)\/keys\/return$/.exec(path) ?? []
    if (one !== undefined) {
      const good = byId.get(one)
      return good ? { status: 200, body: productOf(good) } : problem(404, 'ProductUnavailable')
    }
    if (keys !== undefined) return { status: 200, body: await keysOf(books.byId('kinguin', keys)) }
    if (back !== undefined) return giveBack({ books, goods, secret }, back)
    if (path === '/v1/balance')
      return { status: 200, body: { balance: Number(dollars(books.balance('kinguin'))) } }
    if (path === '/v1/products') return page(sold.map(productOf), asked)
    if (path === '/v1/order')
      return page(
        searched(books, asked).map((sale) => orderOf(sale, null)),
        asked,
      )
    return asked.method === 'POST' && path === '/v2/order'
      ? order({ books, goods, secret }, byId, asked)
      : problem(404, 'OrderNotFound')
  }
}

const productOf = (good: Good) => ({
  productId: idOf(good),
  kinguinId: 1,
  name: good.name,
  platform: good.groupName,
  price: Number(dollars(good.cost)),
  qty: good.sku === '9007' ? 0 : 50,
  regionId: 3,
  countryLimitation: [],
})

function searched(books: Market['books'], { query }: Asked): readonly Sale[] {
  const reference = query.get('orderExternalId')
  if (reference !== null) return books.find('kinguin', reference)
  const [from, to] = [query.get('createdAtFrom'), query.get('createdAtTo')]
  return soldBetween(
    books.sales(),
    'kinguin',
    from === null ? 0 : Date.parse(from),
    to === null ? Date.now() : Date.parse(to),
  )
}

function page(list: readonly object[], { query }: Asked): Reply {
  const [limit, at] = [Number(query.get('limit') ?? 25), Number(query.get('page') ?? 1)]
  return {
    status: 200,
    body: { results: list.slice((at - 1) * limit, at * limit), item_count: list.length },
  }
}

async function order(
  { books }: Market,
  byId: ReadonlyMap<string, Good>,
  asked: Asked,
): Promise<Reply | null> {
  const told = JSON.parse(asked.text) as {
    readonly products: readonly {
      readonly productId: string
      readonly qty: number
      readonly price: number
    }[]
    readonly orderExternalId: string
  }
  const [line] = told.products
  const good = byId.get(line?.productId ?? '')
  if (!line || !good) return problem(400, 'ProductUnavailable')
  const bought = await books.buy({
    supplier: 'kinguin',
    reference: told.orderExternalId,
    good,
    quantity: line.qty,
    fields: { productId: line.productId },
    account: null,
    max: BigInt(Math.round(line.price * 100)) * BigInt(line.qty),
    isReferenceUnique: true,
  })
  if ('sale' in bought)
    return { status: 201, body: orderOf(bought.sale, bought.lie), way: bought.way }
  return bought.refused === 'lost_request' ? null : refuse(bought.refused)
}

const orderOf = (sale: Sale, lie: string | null) => ({
  orderId: sale.id,
  orderExternalId: lie === 'reference' ? randomUUID() : sale.reference,
  status: STATES[sale.state],
  totalPrice: Number(dollars(sale.cost)),
  createdAt: new Date(sale.at).toISOString(),
  ...(lie === 'contradiction' ? { kind: 'OrderFailed' } : {}),
  products: [{ productId: sale.fields.productId, qty: sale.quantity + (lie === 'amount' ? 1 : 0) }],
})

/** The second of an order is a picture. */
async function keysOf(sale: Sale | undefined): Promise<object[]> {
  if (sale?.state !== 'done') return []
  return Promise.all(
    sale.cards.map(async ({ code, serial }, at) => ({
      id: serial,
      serial: at === 1 ? await pictureOf(code) : code,
      type: at === 1 ? 'image/png' : 'text/plain',
      name: sale.sku,
      productId: sale.fields.productId,
    })),
  )
}

/** A code as a picture that a phone reads. */
async function pictureOf(code: string): Promise<string> {
  const png = await sharp(Buffer.from(renderSVG(code, { pixelSize: 8 })))
    .png()
    .toBuffer()
  return png.toString('base64')
}

async function giveBack({ books }: Market, id: string): Promise<Reply> {
  const sale = books.byId('kinguin', id)
  if (sale?.state !== 'done' || Date.now() - sale.at > DAY_MS) return problem(400, 'NoKeysToReturn')
  await books.giveBack(sale)
  return { status: 200, body: {} }
}

export function kinguinNotice(sale: Sale, secret: string): Notice {
  return {
    supplier: 'kinguin',
    body: JSON.stringify({
      orderId: sale.id,
      orderExternalId: sale.reference,
      status: STATES[sale.state],
      updatedAt: new Date(sale.at).toISOString(),
    }),
    headers: { 'x-event-name': 'order.status', 'x-event-secret': secret },
  }
}
