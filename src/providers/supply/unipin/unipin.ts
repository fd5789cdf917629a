import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import {
  SupplyUnavailable,
  type AccountCheck,
  type CataloguePage,
  type LookupOutcome,
  type PurchaseOutcome,
  type QuoteOutcome,
  type SupplyCapabilities,
  type SupplyFailure,
  type SupplyOrder,
  type SupplyProduct,
  type SupplyProvider,
  type SupplyPurchase,
  type SupplyUnknown,
} from '../provider.ts'
import { exactMoney } from '../wire/amounts.ts'
import type { Exchange, SupplyClient } from '../wire/client.ts'
import { byCode, failed, notSent, refusedHere, unknown } from '../wire/outcome.ts'
import { hmacHex } from '../wire/signed.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { UNIPIN_CODES, UNIPIN_WRONG_PLAYER } from './codes.ts'

export const UNIPIN_TIMEOUT_MS = 60_000

export interface UnipinOptions {
  readonly partnerId: string
  readonly secret: Secret
  readonly baseUrl: string
  readonly client: SupplyClient
  readonly now: () => Date
}
type Api = (path: string, body: object) => Promise<Exchange>

const CAPABILITIES: SupplyCapabilities = {
  kinds: ['topup'],
  // That a reference used twice is refused is not verified.
  idempotency: 'lookup',
  // The code of an order that is not there is not known.
  notFoundIsFinalAfterSeconds: null,
  lookupMayBuyAfterSeconds: null,
  checksAccounts: true,
  sendsNotices: false,
  enforcesMaxCost: false,
  needsBuyerAddress: false,
  maxQuantity: 1,
  limits: { concurrent: 4, perSecond: 4 },
  answersWithinSeconds: (3 * UNIPIN_TIMEOUT_MS) / 1_000,
}

const refusal = z.object({
  status: z.literal('0'),
  error: z.object({ code: z.string(), message: z.string().nullish() }),
})
const list = z.object({
  status: z.literal('1'),
  game_list: z.array(z.object({ game_code: z.string(), game_name: z.string().nullish() })),
})
const detail = z.object({
  status: z.literal('1'),
  denominations: z.array(
    z.object({ id: z.string(), name: z.string(), currency: z.string(), amount: z.string() }),
  ),
  fields: z
    .array(z.object({ name: z.string(), type: z.string().nullish(), data: z.unknown().optional() }))
    .nullish(),
})
type Detail = z.infer<typeof detail>
const validated = z.strictObject({
  status: z.literal('1'),
  validation_token: z.string().min(1),
  username: z.string().nullish(),
  reason: z.unknown().optional(),
})
const created = z.object({
  status: z.literal('1'),
  transaction_number: z.string(),
  reference_no: z.string().nullish(),
  denomination_id: z.string().nullish(),
  error: z.unknown().optional(),
})

/** In-game top-up. A product is `game/denomination`; vouchers are another contract, of which the answers are not known. */
export function createUnipinSupplier({
  partnerId,
  secret,
  baseUrl,
  client,
  now,
}: UnipinOptions): SupplyProvider {
  const api: Api = (path, body) => {
    const timestamp = String(Math.floor(now().getTime() / 1_000))
    return client({
      method: 'POST',
      url: `${baseUrl}/${path}`,
      headers: {
        partnerid: partnerId,
        timestamp,
        path,
        auth: hmacHex('sha256', secret, `${partnerId}${timestamp}${path}`),
      },
      body,
    })
  }
  return {
    code: 'unipin',
    capabilities: CAPABILITIES,
    catalogue: (cursor) => catalogue(api, cursor),
    async quote(order): Promise<QuoteOutcome> {
      const ready = await prepare(api, order)
      return 'kind' in ready ? ready : { kind: 'quote', cost: ready.cost }
    },
    validateAccount: (order) => check(api, order),
    purchase: (purchase) => buy(api, purchase),
    async lookup({ purchase, supplierId }): Promise<LookupOutcome> {
      const told = outcomeOf(
        await api('in-game-topup/order/inquiry', { reference_no: purchase.reference }),
        purchase,
        supplierId,
        null,
      )
      // A code that refuses the question says nothing of the order.
      return told.kind === 'failed' ? unknown(`${told.code}: ${told.text}`) : told
    },
    cards: async () => ({ kind: 'unknown', why: 'UniPin hands nothing over' }),
    // In-game top-up has no call for it.
    balances: async () => [],
  }
}

function errorOf(exchange: Exchange): SupplyFailure | SupplyUnknown {
  if (exchange.kind === 'not_sent') return notSent(exchange.why)
  if (exchange.kind === 'broken') return unknown(exchange.why)
  const told = refusal.safeParse(exchange.json).data
  return told
    ? byCode(UNIPIN_CODES, told.error.code, told.error.message)
    : unknown(`answer ${exchange.status} in an unknown form`)
}

const partsOf = (product: string) => /^([\w-]{1,80})\/([\w:.-]{1,120})$/.exec(product)

async function prepare(api: Api, { product, quantity }: SupplyOrder) {
  const [, game, denomination] = partsOf(product) ?? []
  if (game === undefined || denomination === undefined)
    return refusedHere('ours', 'no product of UniPin')
  if (quantity !== 1) return refusedHere('ours', 'one at a time')
  const exchange = await api('in-game-topup/detail', { game_code: game })
  const told = detail.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  if (!told) return errorOf(exchange)
  const known = told.denominations.find(({ id }) => id === denomination)
  if (!known) return refusedHere('stock', 'no such denomination any more')
  // That the amount is what it costs us is not verified.
  const cost = exactMoney(known.amount, known.currency)
  return cost ? { game, denomination, cost } : unknown('a price that is no amount')
}

/** Its token is taken anew for each purchase, as how long one lives is not known. */
async function validate(api: Api, game: string, fields: SupplyOrder['fields']) {
  const exchange = await api('in-game-topup/user/validate', { game_code: game, fields })
  const told = validated.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  return told ?? errorOf(exchange)
}

async function check(api: Api, { product, fields }: SupplyOrder): Promise<AccountCheck> {
  const [, game] = partsOf(product) ?? []
  if (game === undefined) return { kind: 'unchecked', why: 'no product of UniPin' }
  const told = await validate(api, game, fields)
  if ('validation_token' in told)
    return {
      kind: 'valid',
      displayName: cleanText(told.username, 80) || null,
      token: told.validation_token,
      expiresAt: null,
      product: null,
    }
  return told.kind === 'failed' && told.code === UNIPIN_WRONG_PLAYER
    ? { kind: 'invalid', fault: 'account', code: told.code, text: told.text }
    : { kind: 'unchecked', why: told.kind === 'failed' ? told.code : told.why }
}

async function buy(api: Api, purchase: SupplyPurchase): Promise<PurchaseOutcome> {
  const ready = await prepare(api, purchase)
  if ('kind' in ready) return beforeSending(ready)
  const { game, denomination, cost } = ready
  const { maxCost } = purchase
  if (maxCost && (cost.currency !== maxCost.currency || cost.minor > maxCost.minor))
    return refusedHere('price', 'it costs more than was allowed')
  const player = await validate(api, game, purchase.fields)
  if (!('validation_token' in player)) return beforeSending(player)
  const exchange = await api('in-game-topup/order/create', {
    game_code: game,
    validation_token: player.validation_token,
    reference_no: purchase.reference,
    denomination_id: denomination,
  })
  return outcomeOf(exchange, purchase, null, player.username ?? null)
}

/** The order itself was not sent. */
const beforeSending = (told: SupplyFailure | SupplyUnknown): SupplyFailure =>
  told.kind === 'unknown' ? failed('supplier', 'not_sent', told.why) : told

/** That an order with a number is done, and that an inquiry answers in the same form, is not verified. */
function outcomeOf(
  exchange: Exchange,
  purchase: SupplyPurchase,
  expectedId: string | null,
  player: string | null,
): PurchaseOutcome {
  const told = created.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  if (!told) return errorOf(exchange)
  const supplierId = idOf(told.transaction_number)
  if (!supplierId) return unknown('an order without a number')
  if (told.error !== undefined && told.error !== null) return unknown('an order with an error')
  if (told.reference_no && told.reference_no !== purchase.reference)
    return unknown("another purchase's reference")
  if (expectedId !== null && supplierId !== expectedId) return unknown('another id than before')
  const [, , denomination] = partsOf(purchase.product) ?? []
  if (told.denomination_id && told.denomination_id !== denomination)
    return unknown('another denomination')
  const name = cleanText(player, 80)
  return { kind: 'done', supplierId, cost: null, ...(name === '' ? {} : { accountName: name }) }
}

/** One game after the other; the cursor is its place in the list. */
async function catalogue(api: Api, cursor: string | null): Promise<CataloguePage> {
  const at = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 0
  const listed = await api('in-game-topup/list', {})
  const games = list.safeParse(listed.kind === 'answer' ? listed.json : null).data?.game_list
  if (!games) throw new SupplyUnavailable('the games could not be listed')
  const game = games[at]
  if (!game) return { products: [], unread: [], next: null }
  const exchange = await api('in-game-topup/detail', { game_code: game.game_code })
  const told = detail.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  return {
    products: told ? productsOf(told, game.game_code, game.game_name ?? game.game_code) : [],
    unread: told ? [] : [game.game_code],
    next: at + 1 < games.length ? String(at + 1) : null,
  }
}

const productsOf = (
  { denominations, fields }: Detail,
  game: string,
  brand: string,
): readonly SupplyProduct[] =>
  denominations.map(({ id, name, currency, amount }) => ({
    id: `${game}/${id}`,
    kind: 'topup',
    name: `${brand} ${name}`,
    brand,
    country: null,
    faces: { kind: 'single', face: null, cost: exactMoney(amount, currency) },
    fields: (fields ?? []).map((field) => ({
      name: field.name,
      type: field.type === 'number' ? 'number' : 'text',
      isRequired: true,
      options: [],
    })),
    stock: null,
  }))
