import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { Refusal, Sale } from '../books.ts'
import { accountOf, type Market, type Notice } from '../market.ts'
import type { Protocol, Reply } from '../port.ts'

const USER = 'sandbox'
/** Rupiah for a US cent. */
const RATE = 165n
const CODES: Readonly<Record<Refusal, string>> = {
  account: '54',
  wait: '58',
  unavailable: '53',
  balance: '44',
  // What too low a `max_price` is answered with is not published.
  price: '99',
  undocumented: '98',
  duplicate: '49',
}
const STATES = {
  pending: ['Pending', '03'],
  done: ['Sukses', '00'],
  failed: ['Gagal', '02'],
  returned: ['Gagal', '02'],
} as const

const rupiah = (cents: bigint | string): number => Number(BigInt(cents) * RATE)
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Digiflazz's prepaid calls; its products have the demo's own codes. */
export function digiflazzProtocol(market: Market): Protocol {
  const { books, goods, secret } = market
  return (asked) => {
    const told = JSON.parse(asked.text) as Readonly<Record<string, string | number | undefined>>
    const isSigned = (end: unknown) =>
      told.username === USER && told.sign === md5(USER + secret + String(end))
    if (asked.path === '/v1/price-list')
      return isSigned('pricelist')
        ? {
            status: 200,
            body: {
              data: [...goods.values()].filter(({ fields }) => fields.length > 0).map(priceOf),
            },
          }
        : { status: 200, body: { data: { rc: '41', message: 'Signature tidak valid' } } }
    if (asked.path === '/v1/cek-saldo')
      return isSigned('depo')
        ? { status: 200, body: { data: { deposit: rupiah(books.balance('digiflazz')) } } }
        : { status: 200, body: { data: { rc: '41' } } }
    if (asked.path !== '/v1/transaction') return { status: 404, body: {} }
    if (!isSigned(told.ref_id)) return { status: 401, body: refusal(told, '41') }
    return transaction(market, told)
  }
}

function priceOf({ sku, name, groupName, kind, cost }: Parameters<typeof accountOf>[0]) {
  return {
    product_name: name,
    category: kind === 'recharge' ? 'Pulsa' : kind === 'data' ? 'Data' : 'Games',
    brand: groupName.toUpperCase(),
    type: 'Umum',
    price: rupiah(cost),
    buyer_sku_code: sku,
    buyer_product_status: true,
    seller_product_status: true,
  }
}

const refusal = (told: Readonly<Record<string, unknown>>, rc: string) => ({
  data: {
    ref_id: told.ref_id,
    customer_no: told.customer_no,
    buyer_sku_code: told.buyer_sku_code,
    message: 'Transaksi Gagal',
    status: 'Gagal',
    rc,
    sn: '',
  },
})

async function transaction(
  { books, goods }: Market,
  told: Readonly<Record<string, string | number | undefined>>,
): Promise<Reply | null> {
  const [reference, number] = [String(told.ref_id), String(told.customer_no)]
  const [known] = books.find('digiflazz', reference)
  if (known) return { status: 200, body: { data: dataOf(known, null) } }
  const good = goods.get(String(told.buyer_sku_code))
  if (!good) return { status: 200, body: refusal(told, '42') }
  const bought = await books.buy({
    supplier: 'digiflazz',
    reference,
    good,
    quantity: 1,
    fields: { customer_no: number },
    account: number,
    isReferenceUnique: true,
    ...(told.max_price === undefined ? {} : { max: BigInt(told.max_price) / RATE }),
  })
  if ('sale' in bought)
    return { status: 200, body: { data: dataOf(bought.sale, bought.lie) }, way: bought.way }
  if (bought.refused === 'lost_request') return null
  return { status: 400, body: refusal(told, CODES[bought.refused]) }
}

function dataOf(sale: Sale, lie: string | null) {
  const [status, rc] = STATES[sale.state]
  return {
    ref_id: lie === 'reference' ? randomUUID() : sale.reference,
    customer_no: sale.fields.customer_no,
    buyer_sku_code: lie === 'amount' ? `${sale.sku}0` : sale.sku,
    message: `Transaksi ${status}`,
    status,
    rc: lie === 'contradiction' ? '54' : rc,
    sn: sale.state === 'done' ? sale.id : '',
    price: rupiah(sale.cost),
  }
}

export function digiflazzNotice(sale: Sale, secret: string): Notice {
  const body = JSON.stringify({ data: dataOf(sale, null) })
  return {
    supplier: 'digiflazz',
    body,
    headers: {
      'x-digiflazz-event': sale.state === 'pending' ? 'create' : 'update',
      'x-hub-signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
      'user-agent': 'Digiflazz-Hookshot',
    },
  }
}
