import { createHmac, randomUUID } from 'node:crypto'
import type { Refusal, Sale } from '../books.ts'
import type { Good } from '../goods.ts'
import { accountOf, dollars, type Market } from '../market.ts'
import type { Asked, Protocol, Reply } from '../port.ts'
import { unipinVoucherProtocol } from './unipin-vouchers.ts'

const PARTNER = 'sandbox'
const WINDOW_SECONDS = 300
/** Only the wrong player's is published; 9xx are the sandbox's own. */
const CODES: Readonly<Record<Refusal, number>> = {
  account: 727,
  wait: 901,
  unavailable: 902,
  balance: 903,
  price: 904,
  undocumented: 905,
  duplicate: 906,
}

const refuse = (code: number): Reply => ({
  status: 200,
  body: { status: 0, error: { code, message: `error ${code}` } },
})

/** Two contracts on one host. */
export function unipinProtocol(market: Market): Protocol {
  const [topups, vouchers] = [topupProtocol(market), unipinVoucherProtocol(market)]
  return (asked) => (asked.path.startsWith('/voucher/') ? vouchers(asked) : topups(asked))
}

/** UniPin's in-game top-up; games and denominations have the demo's own codes. */
function topupProtocol(market: Market): Protocol {
  const games = Map.groupBy(
    [...market.goods.values()].filter(({ kind }) => kind === 'topup'),
    ({ group }) => group,
  )
  const tokens = new Map<string, Readonly<Record<string, string>>>()
  return (asked) => {
    if (!isSigned(asked, market.secret)) return refuse(701)
    const told = JSON.parse(asked.text) as Told
    const own = games.get(told.game_code ?? '') ?? []
    switch (asked.path) {
      case '/in-game-topup/list':
        return {
          status: 200,
          body: {
            status: 1,
            game_list: [...games].map(([code, [first]]) => ({
              game_code: code,
              game_name: first?.groupName,
            })),
          },
        }
      case '/in-game-topup/detail':
        return own[0] ? { status: 200, body: detailOf(own) } : refuse(704)
      case '/in-game-topup/user/validate':
        return own[0] ? validate(own[0], told.fields ?? {}, tokens) : refuse(704)
      case '/in-game-topup/order/inquiry': {
        const [sale] = market.books.find('unipin', told.reference_no ?? '')
        return sale?.state === 'done'
          ? { status: 200, body: orderOf(sale, null) }
          : refuse(sale ? 907 : 908)
      }
      case '/in-game-topup/order/create':
        return order(market, own, tokens, told)
      default:
        return refuse(701)
    }
  }
}

interface Told {
  readonly game_code?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly validation_token?: string
  readonly reference_no?: string
  readonly denomination_id?: string
}

function isSigned({ headers, path }: Asked, secret: string): boolean {
  const { partnerid, timestamp, auth } = headers
  const bare = path.slice(1)
  const expected = createHmac('sha256', secret)
    .update(`${String(partnerid)}${String(timestamp)}${bare}`)
    .digest('hex')
  return (
    partnerid === PARTNER &&
    headers.path === bare &&
    auth === expected &&
    Math.abs(Date.now() / 1_000 - Number(timestamp)) <= WINDOW_SECONDS
  )
}

const detailOf = (goods: readonly Good[]) => ({
  status: 1,
  denominations: goods.map(({ sku, name, cost }) => ({
    id: sku,
    name,
    currency: 'USD',
    amount: dollars(cost),
  })),
  fields: (goods[0]?.fields ?? []).map(({ name, kind }) => ({
    name,
    type: kind === 'digits' ? 'number' : 'string',
    data: [],
  })),
})

function validate(
  good: Good,
  fields: Readonly<Record<string, string>>,
  tokens: Map<string, Readonly<Record<string, string>>>,
): Reply {
  const account = accountOf(good, fields) ?? ''
  if (account === '' || account.endsWith('9005')) return refuse(CODES.account)
  const token = randomUUID()
  tokens.set(token, fields)
  return {
    status: 200,
    body: { status: 1, validation_token: token, username: `Player ${account}` },
  }
}

async function order(
  { books }: Market,
  own: readonly Good[],
  tokens: Map<string, Readonly<Record<string, string>>>,
  told: Told,
): Promise<Reply | null> {
  const good = own.find(({ sku }) => sku === told.denomination_id)
  const fields = tokens.get(told.validation_token ?? '')
  if (!good || !fields || !told.reference_no) return refuse(good ? 701 : 704)
  const bought = await books.buy({
    supplier: 'unipin',
    reference: told.reference_no,
    good,
    quantity: 1,
    fields,
    account: accountOf(good, fields),
    isReferenceUnique: true,
  })
  if ('sale' in bought)
    return bought.sale.state === 'pending'
      ? refuse(907)
      : { status: 200, body: orderOf(bought.sale, bought.lie), way: bought.way }
  return bought.refused === 'lost_request' ? null : refuse(CODES[bought.refused])
}

const orderOf = (sale: Sale, lie: string | null) => ({
  status: 1,
  transaction_number: sale.id,
  reference_no: lie === 'reference' ? randomUUID() : sale.reference,
  denomination_id: lie === 'amount' ? `${sale.sku}0` : sale.sku,
  ...(lie === 'contradiction' ? { error: { code: 727, message: 'Invalid user' } } : {}),
})
