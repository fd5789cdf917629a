import { randomUUID } from 'node:crypto'
import type { Bought, Refusal, Sale } from '../books.ts'
import type { Good } from '../goods.ts'
import { dollars, numberOf, soldBetween, type Market, type Notice } from '../market.ts'
import type { Asked, Protocol, Reply } from '../port.ts'

const USER = 'sandbox'
const DAY_MS = 86_400_000
const CODES: Readonly<Record<Refusal, number>> = {
  account: 1_005_003,
  wait: 1_099_001,
  unavailable: 1_005_006,
  balance: 1_006_001,
  price: 1_003_002,
  undocumented: 1_099_999,
  duplicate: 1_007_001,
}
const STATES = {
  pending: [5, 'SUBMITTED'],
  done: [7, 'COMPLETED'],
  failed: [9, 'DECLINED'],
  returned: [8, 'REVERSED'],
} as const

const basic = (secret: string) => `Basic ${Buffer.from(`${USER}:${secret}`).toString('base64')}`
const refuse = (code: number): Reply => ({
  status: 400,
  body: [{ code, message: `error ${code}` }],
})
/** Cards have their own numbers, so that the end of one says what shall happen. */
const idOf = ({ sku }: Good) => (/^\d{4}$/.test(sku) ? Number(sku) : numberOf(sku))

/** DT One's DVS, as published: phones by the demo's operators, and PINs. */
export function dtoneProtocol({ books, goods, secret }: Market): Protocol {
  const sold = [...goods.values()].filter(
    ({ kind, group }) => kind === 'recharge' || kind === 'data' || group === 'sandbox-cards',
  )
  const byId = new Map(sold.map((good) => [idOf(good), good]))
  return async (asked) => {
    if (asked.headers.authorization !== basic(secret)) return { ...refuse(1_000_401), status: 401 }
    const [, one] = /^\/v1\/products\/(\d+)$/.exec(asked.path) ?? []
    if (one !== undefined) {
      const good = byId.get(Number(one))
      return good ? { status: 200, body: productOf(good) } : refuse(1_003_001)
    }
    if (asked.path === '/v1/balances')
      return {
        status: 200,
        body: [
          {
            id: 1,
            unit: 'USD',
            unit_type: 'CURRENCY',
            available: Number(dollars(books.balance('dtone'))),
          },
        ],
      }
    if (asked.path === '/v1/products') return page(sold.map(productOf), asked)
    if (asked.path === '/v1/transactions')
      return page(
        listed(books, asked).map((sale) => transaction(sale, null)),
        asked,
      )
    return asked.method === 'POST' && asked.path === '/v1/async/transactions'
      ? order({ books, goods, secret }, byId, asked)
      : refuse(1_000_404)
  }
}

/** By our reference, or by when they were made: the last day where nothing is said. */
function listed(books: Market['books'], { query }: Asked): readonly Sale[] {
  const reference = query.get('external_id')
  if (reference !== null) return books.find('dtone', reference)
  const [from, to] = [query.get('from_date'), query.get('to_date')]
  const begin = from === null ? Date.now() - DAY_MS : Date.parse(from)
  return soldBetween(books.sales(), 'dtone', begin, to === null ? Date.now() : Date.parse(to))
}

function page(list: readonly object[], { query }: Asked): Reply {
  const [size, at] = [Number(query.get('per_page') ?? 50), Number(query.get('page') ?? 1)]
  return {
    status: 200,
    headers: {
      'x-total-pages': String(Math.max(1, Math.ceil(list.length / size))),
      'x-page': String(at),
    },
    body: list.slice((at - 1) * size, at * size),
  }
}

function productOf(good: Good) {
  const isCard = good.fields.length === 0
  return {
    id: idOf(good),
    name: good.bundle === null ? good.name : `${good.groupName} ${good.bundle}`,
    type: isCard ? 'FIXED_VALUE_PIN_PURCHASE' : 'FIXED_VALUE_RECHARGE',
    service: { id: 1, name: good.kind === 'data' ? 'Mobile Data' : 'Mobile' },
    operator: {
      id: numberOf(good.group),
      name: good.groupName,
      country: { iso_code: good.country },
    },
    required_credit_party_identifier_fields: isCard ? [] : [['mobile_number']],
    required_sender_fields: [],
    required_beneficiary_fields: [[]],
    prices: {
      wholesale: { amount: Number(dollars(good.cost)), unit: 'USD', unit_type: 'CURRENCY' },
    },
    destination: {
      amount: Number(good.face?.amount ?? 1),
      unit: good.face?.currency ?? 'GB',
      unit_type: good.face ? 'CURRENCY' : 'DATA',
    },
  }
}

async function order(
  { books }: Market,
  byId: ReadonlyMap<number, Good>,
  asked: Asked,
): Promise<Reply | null> {
  const told = JSON.parse(asked.text) as {
    readonly external_id: string
    readonly product_id: number
    readonly credit_party_identifier?: { readonly mobile_number?: string }
  }
  const good = byId.get(told.product_id)
  if (!good) return refuse(1_003_001)
  const phone = told.credit_party_identifier?.mobile_number
  const bought: Bought = await books.buy({
    supplier: 'dtone',
    reference: told.external_id,
    good,
    quantity: 1,
    fields: {
      product_id: String(told.product_id),
      ...(phone === undefined ? {} : { mobile_number: phone }),
    },
    account: phone ?? null,
    isReferenceUnique: true,
  })
  if ('sale' in bought)
    return { status: 201, body: transaction(bought.sale, bought.lie), way: bought.way }
  return bought.refused === 'lost_request' ? null : refuse(CODES[bought.refused])
}

function transaction(sale: Sale, lie: string | null) {
  const [id, message] =
    sale.scenario === 'reversed' && sale.state === 'failed' ? STATES.returned : STATES[sale.state]
  const [card] = sale.cards
  return {
    id: Number(sale.id),
    external_id: lie === 'reference' ? randomUUID() : sale.reference,
    creation_date: new Date(sale.at).toISOString(),
    status: { id, message, class: { id, message } },
    product: {
      id: Number(sale.fields.product_id) + (lie === 'amount' ? 1 : 0),
      type: card ? 'FIXED_VALUE_PIN_PURCHASE' : 'FIXED_VALUE_RECHARGE',
    },
    prices: {
      wholesale: { amount: Number(dollars(sale.cost)), unit: 'USD', unit_type: 'CURRENCY' },
    },
    credit_party_identifier: sale.fields.mobile_number
      ? { mobile_number: sale.fields.mobile_number }
      : {},
    ...(card && sale.state === 'done' ? { pin: { code: card.code, serial: card.serial } } : {}),
    ...(lie === 'contradiction'
      ? { errors: [{ code: 1_006_001, message: 'Insufficient balance' }] }
      : {}),
  }
}

export function dtoneNotice(sale: Sale, secret: string): Notice {
  return {
    supplier: 'dtone',
    body: JSON.stringify(transaction({ ...sale, cards: [] }, null)),
    headers: { authorization: basic(secret) },
  }
}
