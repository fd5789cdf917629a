import { createHash, randomUUID } from 'node:crypto'
import type { Refusal, Sale } from '../books.ts'
import { dollars, type Market } from '../market.ts'
import type { Asked, Protocol, Reply } from '../port.ts'

const PARTNER = 'sandbox'
const WINDOW_SECONDS = 300
/** What is told of a denomination that is fetched from elsewhere. */
const ELSEWHERE = 'API'
/** Out of stock and item not found are published; 9xx are the sandbox's own. */
const CODES: Readonly<Record<Refusal, number>> = {
  account: 909,
  wait: 901,
  unavailable: 705,
  balance: 903,
  price: 904,
  undocumented: 905,
  duplicate: 906,
}
const UNSIGNED = 701
const NO_VOUCHER = 704
const NO_ITEM = 707
const NO_TRANSACTION = 716

const refuse = (code: number): Reply => ({
  status: 200,
  body: { status: 0, error: { error_code: code, message: `error ${code}` } },
})
const say = (body: object): Reply => ({ status: 200, body: { status: 1, ...body } })

interface Told {
  readonly partner_guid?: string
  readonly logid?: number
  readonly signature?: string
  readonly voucher_code?: string
  readonly denomination_code?: string
  readonly quantity?: number
  readonly reference_no?: string
}

/** UniPin's vouchers; they and their denominations have the demo's own codes. */
export function unipinVoucherProtocol(market: Market): Protocol {
  const cards = [...market.goods.values()].filter(({ kind, free }) => kind === 'giftcard' && !free)
  const vouchers = Map.groupBy(cards, ({ group }) => group)
  return (asked) => {
    const told = JSON.parse(asked.text) as Told
    if (!isSigned(asked, told, market.secret)) return refuse(UNSIGNED)
    switch (asked.path) {
      case '/voucher/list':
        return say({
          voucher_list: [...vouchers].map(([code, [first]]) => ({
            voucher_code: code,
            voucher_name: first?.groupName,
          })),
        })
      case '/voucher/get_stock_count':
        return {
          status: 200,
          body: Object.fromEntries(
            cards.map(({ sku }, index) => [sku, index % 2 === 0 ? ELSEWHERE : 100]),
          ),
        }
      case '/voucher/details': {
        const own = vouchers.get(told.voucher_code ?? '')
        return own
          ? say({
              voucher_code: told.voucher_code,
              denominations: own.map(({ sku, name, cost }) => ({
                denomination_code: sku,
                denomination_name: name,
                denomination_currency: 'USD',
                denomination_amount: dollars(cost),
              })),
            })
          : refuse(NO_VOUCHER)
      }
      case '/voucher/inquiry': {
        const [sale] = market.books.find('unipin', told.reference_no ?? '')
        return sale?.state === 'done' ? say(orderOf(sale, null)) : refuse(NO_TRANSACTION)
      }
      case '/voucher/request':
        return request(market, told)
      case '/voucher/balance':
        return say({ balance: dollars(market.books.balance('unipin')) })
      default:
        return refuse(UNSIGNED)
    }
  }
}

/** By the time of the call where it has one, else by what it asks for. */
function isSigned({ path }: Asked, told: Told, secret: string): boolean {
  const isTimed = !/^\/voucher\/(?:request|inquiry|balance)$/.test(path)
  const parts = isTimed ? [told.logid] : [told.denomination_code, told.quantity, told.reference_no]
  const expected = createHash('sha256')
    .update([PARTNER, ...parts, secret].join(''))
    .digest('hex')
  return (
    told.partner_guid === PARTNER &&
    told.signature === expected &&
    (!isTimed || Math.abs(Date.now() / 1_000 - Number(told.logid)) <= WINDOW_SECONDS)
  )
}

async function request({ books, goods }: Market, told: Told): Promise<Reply | null> {
  const good = goods.get(told.denomination_code ?? '')
  const { reference_no: reference, quantity } = told
  if (good?.kind !== 'giftcard' || good.free) return refuse(NO_ITEM)
  if (!reference || !Number.isInteger(quantity) || !quantity || quantity < 1)
    return refuse(UNSIGNED)
  const bought = await books.buy({
    supplier: 'unipin',
    reference,
    good,
    quantity,
    fields: {},
    account: null,
    isReferenceUnique: true,
  })
  if ('sale' in bought) {
    if (bought.sale.state === 'pending') return refuse(NO_TRANSACTION)
    return { ...say(orderOf(bought.sale, bought.lie)), way: bought.way }
  }
  return bought.refused === 'lost_request' ? null : refuse(CODES[bought.refused])
}

/** Its denomination is not part of it; a lie about the amount is a voucher too few. */
const orderOf = (sale: Sale, lie: string | null) => ({
  message: 'Successful',
  order: sale.id,
  reference_no: lie === 'reference' ? randomUUID() : sale.reference,
  total_amount: dollars(sale.cost),
  currency: 'USD',
  items: sale.cards
    .slice(lie === 'amount' ? 1 : 0)
    .map(({ serial, code }) => ({ serial_1: serial, serial_2: code })),
  ...(lie === 'contradiction' ? { error: { error_code: 705, message: 'Out Of Stock' } } : {}),
})
