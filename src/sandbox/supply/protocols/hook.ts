import { createHmac, randomUUID } from 'node:crypto'
import { divide, parseDecimal } from '#kernel/money.ts'
import type { Refusal, Sale } from '../books.ts'
import type { Good } from '../goods.ts'
import { accountOf, dollars, type Market, type Notice } from '../market.ts'
import type { Protocol, Reply } from '../port.ts'

const CLASSES: Readonly<Record<Refusal, string>> = {
  account: 'customer',
  wait: 'wait',
  unavailable: 'stock',
  balance: 'ours',
  price: 'price',
  undocumented: 'moon',
  duplicate: 'ours',
}
const PAGE = 500
const REPORT_PAGE = 100
const WINDOW_SECONDS = 300

interface Told {
  readonly action: string
  readonly kind?: string
  readonly reference?: string
  readonly product?: string
  readonly quantity?: number
  readonly cursor?: string | null
  readonly from?: string
  readonly to?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly face?: { readonly amount: string; readonly currency: string } | null
  readonly max_cost?: { readonly amount: string; readonly currency: string } | null
}

const signatureOf = (secret: string, timestamp: string, body: string) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
const centsOf = (amount: string): bigint => {
  const { numerator, denominator } = parseDecimal(amount)
  return (numerator * 100n) / denominator
}
const money = (cents: bigint | string) => ({ amount: dollars(cents), currency: 'USD' })

/** An endpoint as an owner would write it, by the contract beside the shop's adapter. */
export function hookProtocol(market: Market): Protocol {
  return ({ headers, text, method }) => {
    const timestamp = String(headers['supply-timestamp'])
    const isOurs =
      method === 'POST' &&
      Math.abs(Date.now() / 1_000 - Number(timestamp)) <= WINDOW_SECONDS &&
      headers['supply-signature'] === signatureOf(market.secret, timestamp, text)
    if (!isOurs)
      return { status: 401, body: { outcome: 'refused', text: 'the signature is wrong' } }
    return route(market, JSON.parse(text) as Told)
  }
}

function route(market: Market, told: Told): Promise<Reply | null> | Reply {
  const { books, goods } = market
  const good = goods.get(told.product ?? '')
  switch (told.action) {
    case 'catalogue':
      return { status: 200, body: pageOf([...goods.values()], Number(told.cursor ?? 0)) }
    case 'balances':
      return { status: 200, body: { balances: [money(books.balance('hook'))] } }
    case 'report':
      return { status: 200, body: reportOf(books.sales(), told) }
    case 'quote':
      return good
        ? { status: 200, body: { cost: money(costOf(good, told) * BigInt(told.quantity ?? 1)) } }
        : { status: 200, body: { class: 'stock', code: 'no_product' } }
    case 'validate':
      return { status: 200, body: checked(market, good, told) }
    case 'lookup': {
      const [sale] = books.find('hook', told.reference ?? '')
      return {
        status: 200,
        body: sale ? outcomeOf(sale, null) : { outcome: 'not_found', reference: told.reference },
      }
    }
    default:
      return purchase(market, good, told)
  }
}

const pageOf = (goods: readonly Good[], at: number) => ({
  products: goods.slice(at, at + PAGE).map((good) => ({
    id: good.sku,
    kind: good.kind,
    name: good.name,
    brand: good.groupName,
    ...(good.country === null ? {} : { country: good.country }),
    ...(good.free && good.face
      ? { range: { ...good.free, currency: good.face.currency, of: good.face.amount } }
      : {}),
    cost: money(good.cost),
    fields: good.fields.map(({ name, isRequired }) => ({ name, required: isRequired })),
  })),
  next: at + PAGE < goods.length ? String(at + PAGE) : null,
})

function reportOf(sales: readonly Sale[], { from = '', to = '', cursor }: Told) {
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const own = sales.filter(({ supplier, at }) => supplier === 'hook' && at >= begin && at <= end)
  const start = Number(cursor ?? 0)
  return {
    purchases: own.slice(start, start + REPORT_PAGE).map((sale) => ({
      id: sale.id,
      reference: sale.reference,
      outcome: sale.state === 'pending' ? 'accepted' : sale.state === 'done' ? 'done' : 'failed',
      at: new Date(sale.at).toISOString(),
      ...(sale.state === 'done' ? { cost: money(sale.cost) } : {}),
    })),
    next: start + REPORT_PAGE < own.length ? String(start + REPORT_PAGE) : null,
  }
}

/** An amount costs its share of what the face does. */
function costOf({ cost, face, free }: Good, { face: asked }: Told): bigint {
  if (!free || !asked || !face) return cost
  const [amount, whole] = [parseDecimal(asked.amount), parseDecimal(face.amount)]
  return divide(
    cost * amount.numerator * whole.denominator,
    amount.denominator * whole.numerator,
    'up',
  )
}

/** Numbers that end so were taken along to the country's last operator. */
const MOVED = '9070'

/** The airtime of the operator that a number is of: by the longest of the prefixes, but for those that have moved. */
function airtimeOf({ goods }: Market, phone: string): Good | undefined {
  const all = [...goods.values()].filter(({ kind }) => kind === 'recharge')
  const digits = phone.replace(/\D/g, '')
  let best: { readonly good: Good; readonly length: number } | undefined
  for (const good of all)
    for (const prefix of good.prefixes)
      if (prefix.length > (best?.length ?? 0) && digits.startsWith(prefix))
        best = { good, length: prefix.length }
  if (!best) return undefined
  const { country } = best.good
  return digits.endsWith(MOVED) ? all.findLast((each) => each.country === country) : best.good
}

function checked(market: Market, good: Good | undefined, { kind, product, fields = {} }: Told) {
  if (kind === 'recharge' && product === '') {
    const found = airtimeOf(market, fields['phone'] ?? '')
    return found
      ? { valid: true, product: found.sku }
      : { valid: false, fault: 'operator', text: 'whose number it is could not be found out' }
  }
  const account = good ? accountOf(good, fields) : null
  return account?.endsWith('9005')
    ? { valid: false, fault: 'account', text: 'no such player' }
    : { valid: true, name: `Player ${account ?? ''}` }
}

async function purchase(
  { books }: Market,
  good: Good | undefined,
  told: Told,
): Promise<Reply | null> {
  const { reference = '', quantity = 1, fields = {} } = told
  const [known] = books.find('hook', reference)
  if (known) return { status: 200, body: outcomeOf(known, null) }
  if (!good)
    return {
      status: 200,
      body: { outcome: 'failed', reference, class: 'stock', code: 'no_product' },
    }
  const bought = await books.buy({
    supplier: 'hook',
    reference,
    good,
    quantity,
    fields,
    account: accountOf(good, fields),
    isReferenceUnique: true,
    cost: costOf(good, told),
    face: told.face ?? undefined,
    ...(told.max_cost ? { max: centsOf(told.max_cost.amount) } : {}),
  })
  if ('sale' in bought)
    return { status: 200, body: outcomeOf(bought.sale, bought.lie), way: bought.way }
  if (bought.refused === 'lost_request') return null
  return {
    status: 200,
    body: { outcome: 'failed', reference, class: CLASSES[bought.refused], code: bought.refused },
  }
}

function outcomeOf(sale: Sale, lie: string | null) {
  const reference = lie === 'reference' ? randomUUID() : sale.reference
  if (sale.state === 'pending') return { outcome: 'accepted', reference, id: sale.id }
  if (sale.state !== 'done')
    return { outcome: 'failed', reference, class: 'supplier', code: 'taken_back', id: sale.id }
  return {
    outcome: 'done',
    reference,
    id: sale.id,
    product: sale.sku,
    quantity: sale.quantity + (lie === 'amount' ? 1 : 0),
    cost: money(sale.cost),
    ...(lie === 'contradiction' ? { class: 'supplier' } : {}),
    ...(sale.cards.length > 0
      ? {
          cards: sale.cards.map(({ code, pin, serial, expires }) => ({
            code,
            pin,
            serial,
            expires_on: expires,
          })),
        }
      : {}),
  }
}

export function hookNotice(sale: Sale, secret: string): Notice {
  const body = JSON.stringify({
    id: `${sale.id}-${sale.state}`,
    kind: 'changed',
    reference: sale.reference,
  })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  return {
    supplier: 'hook',
    body,
    headers: {
      'supply-timestamp': timestamp,
      'supply-signature': signatureOf(secret, timestamp, body),
    },
  }
}
