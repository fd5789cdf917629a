import { z } from 'zod'
import {
  SupplyUnavailable,
  type AccountCheck,
  type CataloguePage,
  type LookupOutcome,
  type LookupRequest,
  type PurchaseOutcome,
  type QuoteOutcome,
  type SupplyOrder,
  type SupplyProduct,
  type SupplyPurchase,
} from '../provider.ts'
import { exactMoney } from '../wire/amounts.ts'
import type { Exchange } from '../wire/client.ts'
import { refusedHere, unknown } from '../wire/outcome.ts'
import { cleanText, idOf } from '../wire/text.ts'
import { beforeSending, errorOf, type UnipinApi } from './api.ts'
import { UNIPIN_CODES, UNIPIN_WRONG_PLAYER } from './codes.ts'

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

/** A product is `game/denomination`. */
const partsOf = (product: string) => /^([\w-]{1,80})\/([\w:.-]{1,120})$/.exec(product)

async function prepare(api: UnipinApi, { product, quantity }: SupplyOrder) {
  const [, game, denomination] = partsOf(product) ?? []
  if (game === undefined || denomination === undefined)
    return refusedHere('ours', 'no product of UniPin')
  if (quantity !== 1) return refusedHere('ours', 'one at a time')
  const exchange = await api('in-game-topup/detail', { game_code: game })
  const told = detail.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  if (!told) return errorOf(exchange, UNIPIN_CODES)
  const known = told.denominations.find(({ id }) => id === denomination)
  if (!known) return refusedHere('stock', 'no such denomination any more')
  // That the amount is what it costs us is not verified.
  const cost = exactMoney(known.amount, known.currency)
  return cost ? { game, denomination, cost } : unknown('a price that is no amount')
}

export async function quoteTopup(api: UnipinApi, order: SupplyOrder): Promise<QuoteOutcome> {
  const ready = await prepare(api, order)
  return 'kind' in ready ? ready : { kind: 'quote', cost: ready.cost }
}

/** Its token is taken anew for each purchase, as how long one lives is not known. */
async function validate(api: UnipinApi, game: string, fields: SupplyOrder['fields']) {
  const exchange = await api('in-game-topup/user/validate', { game_code: game, fields })
  const told = validated.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  return told ?? errorOf(exchange, UNIPIN_CODES)
}

export async function checkPlayer(
  api: UnipinApi,
  { product, fields }: SupplyOrder,
): Promise<AccountCheck> {
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

export async function buyTopup(api: UnipinApi, purchase: SupplyPurchase): Promise<PurchaseOutcome> {
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

export async function findTopup(
  api: UnipinApi,
  { purchase, supplierId }: LookupRequest,
): Promise<LookupOutcome> {
  const told = outcomeOf(
    await api('in-game-topup/order/inquiry', { reference_no: purchase.reference }),
    purchase,
    supplierId,
    null,
  )
  // A code that refuses the question says nothing of the order.
  return told.kind === 'failed' ? unknown(`${told.code}: ${told.text}`) : told
}

/** That an order with a number is done, and that an inquiry answers in the same form, is not verified. */
function outcomeOf(
  exchange: Exchange,
  purchase: SupplyPurchase,
  expectedId: string | null,
  player: string | null,
): PurchaseOutcome {
  const told = created.safeParse(exchange.kind === 'answer' ? exchange.json : null).data
  if (!told) return errorOf(exchange, UNIPIN_CODES)
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

/** A game by its place in the list; `next` is the place after it. */
export async function listTopups(api: UnipinApi, at: number): Promise<CataloguePage> {
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
