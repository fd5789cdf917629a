import { createHmac, randomUUID } from 'node:crypto'
import type { Sale } from '../books.ts'
import type { Good } from '../goods.ts'
import { accountOf, dollars, type Market, type Notice } from '../market.ts'
import type { Asked, Protocol, Reply } from '../port.ts'

const UID = 'sandbox'
const WINDOW_SECONDS = 120
type Fields = Readonly<Record<string, string>>

function signatureOf(fields: Fields, secret: string): string {
  const text = Object.keys(fields)
    .filter((name) => name !== 'signature')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return createHmac('sha256', secret).update(text).digest('hex')
}

const ok = (data: unknown, way?: Reply['way']): Reply => ({
  status: 200,
  body: { code: 200, msg: 'ok', data },
  ...(way ? { way } : {}),
})
const no = (code: number, info: string): Reply => ({
  status: code,
  body: { code, msg: 'error', error_info: { info_code: 50_000, info_message: info } },
})

/** SEAGM's Open API, as far as it is known; its products have the demo's own codes. */
export function seagmProtocol(market: Market): Protocol {
  const groups = new Map(
    (['recharge', 'card'] as const).map((stem) => [
      stem,
      Map.groupBy(
        [...market.goods.values()].filter(
          ({ fields }) => fields.length > 0 === (stem === 'recharge'),
        ),
        ({ group }) => group,
      ),
    ]),
  )
  return (asked) => {
    const given = asked.method === 'GET' ? asked.query : new URLSearchParams(asked.text)
    const fields = Object.fromEntries(given)
    if (
      fields.uid !== UID ||
      Math.abs(Date.now() / 1_000 - Number(fields.timestamp)) > WINDOW_SECONDS
    )
      return no(412, 'header check failed')
    if (signatureOf(fields, market.secret) !== fields.signature) return no(409, 'bad signature')
    if (asked.path === '/v1/me')
      return ok({ uid: UID, balance: dollars(market.books.balance('seagm')), currency: 'USD' })
    const [, stem, rest = ''] = /^\/v1\/(recharge|card)-(.+)$/.exec(asked.path) ?? []
    const own = groups.get(stem as 'recharge' | 'card')
    if (!own) return no(404, 'no such path')
    return route(market, own, rest, fields, asked)
  }
}

function route(
  market: Market,
  groups: ReadonlyMap<string, readonly Good[]>,
  rest: string,
  fields: Fields,
  { method }: Asked,
): Promise<Reply | null> | Reply {
  const [, group] = /^categories\/([^/]+)\/(?:recharge|card)-types$/.exec(rest) ?? []
  const [, one] = /^types\/([^/]+)$/.exec(rest) ?? []
  if (rest === 'categories')
    return ok([...groups].map(([id, [first]]) => ({ id, name: first?.groupName ?? id })))
  if (group !== undefined) return ok((groups.get(decodeURIComponent(group)) ?? []).map(typeObject))
  if (one !== undefined) {
    const good = market.goods.get(decodeURIComponent(one))
    return good ? ok(typeObject(good)) : no(404, 'no such type')
  }
  if (rest !== 'orders') return no(404, 'no such path')
  if (method === 'POST') return order(market, fields)
  return ok(
    market.books.find('seagm', fields.mch_order_id ?? '').map((sale) => orderObject(sale, null)),
  )
}

const typeObject = (good: Good) => ({
  id: good.sku,
  name: good.name,
  category_name: good.groupName,
  unit_price: dollars(good.cost),
  currency: 'USD',
  stock: good.sku === '9007' ? 0 : 1_000,
  fields: good.fields.map(({ name, kind, isRequired, options }) => ({
    name,
    type: kind === 'digits' ? 'number' : kind,
    required: isRequired,
    options,
  })),
})

async function order(market: Market, fields: Fields): Promise<Reply | null> {
  const {
    uid: _uid,
    timestamp: _at,
    signature: _by,
    type_id: sku = '',
    buy_amount: number,
    mch_order_id: reference = '',
    ...given
  } = fields
  const good = market.goods.get(sku)
  const quantity = Number(number)
  if (!good || !Number.isInteger(quantity) || quantity < 1) return no(400, 'no such type')
  const bought = await market.books.buy({
    supplier: 'seagm',
    reference,
    good,
    quantity,
    fields: given,
    account: accountOf(good, given),
    isReferenceUnique: false,
  })
  if ('sale' in bought) return ok(orderObject(bought.sale, bought.lie), bought.way)
  if (bought.refused === 'lost_request') return null
  return no(bought.refused === 'wait' ? 413 : 400, bought.refused)
}

const CODES = { pending: 10_002, done: 10_003, failed: 10_005, returned: 10_005 } as const

function orderObject(sale: Sale, lie: string | null) {
  const isDone = sale.state === 'done'
  return {
    order_id: Number(sale.id),
    mch_order_id: lie === 'reference' ? randomUUID() : sale.reference,
    type_id: sale.sku,
    buy_amount: `${sale.quantity + (lie === 'amount' ? 1 : 0)}.00`,
    currency: 'USD',
    pay_amount: dollars(sale.cost),
    refunded_amount: sale.state === 'failed' ? dollars(sale.cost) : '0.00',
    send_amount: isDone ? `${sale.quantity}.000` : '0.000',
    pay_status_code: lie === 'contradiction' ? 1 : 2,
    send_status_code: isDone ? 3 : sale.state === 'pending' ? 2 : 4,
    status_code: CODES[sale.state],
    ...(isDone && sale.cards.length > 0
      ? {
          cards: sale.cards.map(({ code, pin, serial, expires }) => ({
            code,
            pin,
            serial,
            expire_date: expires,
          })),
        }
      : {}),
  }
}

export function seagmNotice(sale: Sale, secret: string): Notice {
  const { cards: _secret, order_id: id, ...order } = orderObject(sale, null)
  const fields = Object.fromEntries(
    Object.entries({ ...order, id, timestamp: Math.floor(Date.now() / 1_000) }).map(
      ([name, value]) => [name, String(value)],
    ),
  )
  const body = new URLSearchParams({ ...fields, signature: signatureOf(fields, secret) }).toString()
  return {
    supplier: 'seagm',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
}
