import { createHash, createHmac, randomUUID } from 'node:crypto'
import { parseDecimal } from '#kernel/money.ts'
import type { Refusal, Sale } from '../books.ts'
import type { Good } from '../goods.ts'
import { accountOf, dollars, soldBetween, type Market, type Notice } from '../market.ts'
import type { Asked, Protocol, Reply } from '../port.ts'

const PATH = '/api/reseller/'
const WINDOW_SECONDS = 120
const PAGE = 500
const ORDERS = 100
const REFUSALS: Readonly<Record<Refusal, readonly [status: number, code: number, data: unknown]>> =
  {
    account: [200, 2422, { fields: [{ field: 'lines.0.fields.account', msg: 'Check this.' }] }],
    wait: [429, 429, null],
    unavailable: [200, 2421, null],
    balance: [200, 2420, null],
    price: [200, 2435, null],
    undocumented: [200, 2999, null],
    duplicate: [409, 409, null],
  }

const refuse = (refusal: Refusal): Reply => {
  const [status, code, data] = REFUSALS[refusal]
  return {
    status,
    headers: status === 429 ? { 'retry-after': '60' } : {},
    body: { code, msg: `${refusal} in the sandbox`, data },
  }
}
const success = (data: unknown): Reply => ({ status: 200, body: { code: 1, msg: 'Success', data } })
const money = (cents: bigint | string) => ({ amount: dollars(cents), currency: 'USD' })
const centsOf = (amount: string): bigint => {
  const { numerator, denominator } = parseDecimal(amount)
  return (numerator * 100n) / denominator
}

/** The reseller API of a shop of this program, by docs/selling/reseller-api.md. */
export function lukadoProtocol(market: Market): Protocol {
  const nonces = new Set<string>()
  return (asked) => {
    if (!isSigned(asked, market.secret, nonces))
      return { status: 401, body: { code: 401, msg: 'not signed', data: { reason: 'signature' } } }
    return route(market, asked)
  }
}

function isSigned(asked: Asked, secret: string, nonces: Set<string>): boolean {
  const header = (name: string) => String(asked.headers[`reseller-${name}`])
  const [time, nonce] = [header('timestamp'), header('nonce')]
  const query = asked.query.toString()
  const hash = createHash('sha256').update(asked.text).digest('hex')
  const target = query === '' ? asked.path : `${asked.path}?${query}`
  const text = [asked.method, target, time, nonce, hash].join('\n')
  const isOurs =
    Math.abs(Date.now() / 1_000 - Number(time)) <= WINDOW_SECONDS &&
    header('signature') === `v1=${createHmac('sha256', secret).update(text).digest('hex')}` &&
    !nonces.has(nonce)
  if (isOurs) nonces.add(nonce)
  return isOurs
}

interface Line {
  readonly item: string
  readonly quantity: number
  readonly fields?: Readonly<Record<string, string>>
}

function route(market: Market, asked: Asked): Promise<Reply | null> | Reply {
  const { books, goods } = market
  switch (`${asked.method} ${asked.path.slice(PATH.length)}`) {
    case 'GET catalogue':
      return success(pageOf([...goods.values()], Number(asked.query.get('cursor') ?? 0)))
    case 'GET balance':
      return success([money(books.balance('lukado'))])
    case 'POST quote': {
      const { lines } = JSON.parse(asked.text) as { readonly lines: readonly Line[] }
      const [line] = lines
      const good = goods.get(line?.item ?? '')
      return good && line ? success({ total: money(good.cost * BigInt(line.quantity)) }) : unsold()
    }
    case 'GET orders':
      return success(ordersOf(market, asked))
    case 'GET order_status': {
      const [sale] = books.find('lukado', asked.query.get('reference') ?? '')
      return sale ? success(orderOf(sale, null)) : notFound()
    }
    case 'POST account_validate': {
      const { item, fields } = JSON.parse(asked.text) as Line
      const good = goods.get(item)
      const account = good ? accountOf(good, fields ?? {}) : null
      return success(
        account?.endsWith('9005')
          ? {
              state: 'invalid',
              name: null,
              expires_at: null,
              faults: [{ field: 'account', msg: 'There is no such player.' }],
            }
          : { state: 'valid', name: `Player ${account ?? ''}`, expires_at: null, faults: [] },
      )
    }
    case 'POST keys': {
      const { reference } = JSON.parse(asked.text) as { readonly reference: string }
      const [sale] = books.find('lukado', reference)
      return sale?.state === 'done' ? success(keysOf(sale)) : notFound()
    }
    case 'POST order':
      return order(market, asked)
    default:
      return notFound()
  }
}

const notFound = (): Reply => ({ status: 404, body: { code: 404, msg: 'not found', data: null } })
const unsold = (): Reply => ({
  status: 200,
  body: {
    code: 2422,
    msg: 'Check this.',
    data: { fields: [{ field: 'lines.0.item', msg: 'It is not sold.' }] },
  },
})

const pageOf = (goods: readonly Good[], at: number) => ({
  items: goods.slice(at, at + PAGE).map((good) => ({
    item: good.sku,
    kind: good.kind,
    name: good.name,
    product: good.group,
    brand: good.groupName,
    country: good.country,
    price: money(good.cost),
    stock: null,
    fields: good.fields
      .filter(({ name }) => name !== 'country')
      .map(({ name, kind, isRequired, options }) => ({
        key: name,
        kind,
        required: isRequired,
        options,
      })),
  })),
  next: at + PAGE < goods.length ? String(at + PAGE) : null,
  as_of: new Date().toISOString(),
})

function ordersOf({ books }: Market, { query }: Asked) {
  const own = soldBetween(
    books.sales(),
    'lukado',
    Date.parse(query.get('from') ?? ''),
    Date.parse(query.get('to') ?? ''),
  )
  const at = Number(query.get('cursor') ?? 0)
  return {
    orders: own.slice(at, at + ORDERS).map((sale) => ({
      ...orderOf(sale, null),
      created: new Date(sale.at).toISOString(),
    })),
    next: at + ORDERS < own.length ? String(at + ORDERS) : null,
  }
}

async function order({ books, goods }: Market, asked: Asked): Promise<Reply | null> {
  const told = JSON.parse(asked.text) as {
    readonly reference: string
    readonly lines: readonly Line[]
    readonly max_total?: string
  }
  const [known] = books.find('lukado', told.reference)
  if (known) return success(orderOf(known, null))
  const [line] = told.lines
  const good = goods.get(line?.item ?? '')
  if (!line || !good) return unsold()
  const bought = await books.buy({
    supplier: 'lukado',
    reference: told.reference,
    good,
    quantity: line.quantity,
    fields: line.fields ?? {},
    account: accountOf(good, line.fields ?? {}),
    isReferenceUnique: true,
    ...(told.max_total === undefined ? {} : { max: centsOf(told.max_total) }),
  })
  if ('sale' in bought) return { ...success(orderOf(bought.sale, bought.lie)), way: bought.way }
  return bought.refused === 'lost_request' ? null : refuse(bought.refused)
}

const RESULTS = {
  pending: ['accepted', 'shipping'],
  done: ['done', 'completed'],
  failed: ['failed', 'refunded'],
  returned: ['failed', 'refunded'],
} as const

function orderOf(sale: Sale, lie: string | null) {
  const [result, status] = RESULTS[sale.state]
  return {
    reference: lie === 'reference' ? randomUUID() : sale.reference,
    order: sale.id,
    order_no: sale.id,
    result,
    status,
    is_paid: true,
    total: money(sale.cost),
    refunded: money(result === 'failed' ? sale.cost : 0n),
    failure: lie === 'contradiction' ? { code: 2421, reason: 'out_of_stock' } : null,
    lines: [
      {
        item: sale.sku,
        quantity: sale.quantity + (lie === 'amount' ? 1 : 0),
        price: money(BigInt(sale.cost) / BigInt(sale.quantity)),
        units: [],
      },
    ],
  }
}

const keysOf = (sale: Sale) => ({
  reference: sale.reference,
  order: sale.id,
  units: sale.cards.map(({ code, pin, serial, expires }) => ({
    id: serial,
    item: sale.sku,
    parts: { code, pin, serial },
    expires_on: expires,
  })),
})

export function lukadoNotice(sale: Sale, secret: string): Notice {
  const body = JSON.stringify({
    id: `${sale.id}-${sale.state}`,
    type: 'order.changed',
    created: new Date().toISOString(),
    data: { reference: sale.reference, order: sale.id, result: RESULTS[sale.state][0] },
  })
  const time = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return { supplier: 'lukado', body, headers: { 'lukado-signature': `t=${time},v1=${signature}` } }
}
