import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { askPerson } from '#features/buying/agent/commands.ts'
import type { Confirmation } from '#features/buying/agent/rules.ts'
import { findItem } from '#features/buying/offer/queries.ts'
import { hashOf } from '#features/buying/reseller/commands.ts'
import { openKeys } from '#features/buying/reseller/flows.ts'
import { findReferenced } from '#features/buying/reseller/queries.ts'
import { referenceShape, wantedLinesShape } from '#features/buying/reseller/schema.ts'
import { listedItem, pricesAt } from '#features/buying/reseller/views.ts'
import type { Scope, WantedGoods } from '#features/buying/reseller/rules.ts'
import { findProduct, searchEverything } from '#features/goods/browse/queries.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import { toMajor } from '#kernel/money.ts'
import { checkedAccount } from '../calls/account.ts'
import { amountShape } from '../calls/order-create.ts'
import { refusalOf } from '../envelope.ts'
import type { Services } from '../personal/services.ts'
import type { ResellerCaller } from '../reseller/call.ts'
import { found, viewOf, wantedOf } from '../reseller/calls.ts'
import { orderByReference, priceFor } from '../reseller/ordering.ts'

/** Who a program buys for, and where a person agrees to it. */
export interface AgentCaller extends ResellerCaller {
  readonly services: ResellerCaller['services'] & Pick<Services, 'takeShare'>
  /** Origin of the shop. */
  readonly publicUrl: string
}

const FOUND_MAX = 20
const lines = wantedLinesShape
const maxTotal = z
  .string()
  .max(30)
  .optional()
  .describe('The most the whole may cost, a decimal in the currency of the shop’s prices')

type Answer = Readonly<Record<string, unknown>>

/** The tools of the shop for one request, in the name of a key's account: the calls that resellers make, and a word of the person above a limit. */
export function agentServer(caller: AgentCaller, release: string): McpServer {
  const server = new McpServer({ name: caller.shop.settings.name, version: release })
  const answered = async (scope: Scope, work: () => Promise<Answer>) => {
    try {
      if (!caller.key.scopes.includes(scope))
        throw new AppError('forbidden', {}, { data: { scope } })
      const data = await work()
      return {
        content: [{ type: 'text' as const, text: JSON.stringify(data) }],
        structuredContent: { ...data },
      }
    } catch (error) {
      return refused(caller, error)
    }
  }
  addReading(server, caller, answered)
  addBuying(server, caller, answered)
  return server
}

type Answered = (
  scope: Scope,
  work: () => Promise<Answer>,
) => Promise<{
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}>

function addReading(server: McpServer, caller: AgentCaller, answered: Answered): void {
  server.registerTool(
    'search',
    {
      description: 'Find products by words; answers their codes and names.',
      inputSchema: z.object({ words: z.string().min(1).max(200) }),
    },
    ({ words }) => answered('browse', async () => ({ products: search(caller, words) })),
  )
  server.registerTool(
    'product',
    {
      description:
        'What can be bought of a product: items with price, stock and the account fields they ask for.',
      inputSchema: z.object({ product: z.string().min(1).max(200) }),
    },
    ({ product }) => answered('browse', async () => ({ items: await itemsOf(caller, product) })),
  )
  server.registerTool(
    'check_account',
    {
      description:
        'Check the account that an item would be credited to, before buying: `valid` with the name that its supplier knows, `invalid`, or `unchecked` where nobody can say.',
      inputSchema: z.object({
        item: z.string().min(1).max(200),
        fields: z.record(z.string().max(60), z.string().max(300)),
        amount: amountShape.optional(),
      }),
    },
    (asked) =>
      answered('browse', async () => {
        // Its supplier is asked, as for a shopper.
        const seconds = caller.services.takeShare(
          'costly',
          caller.visitor,
          `agent ${caller.key.id}`,
        )
        if (seconds > 0) throw new AppError('too_many_requests', { seconds })
        return { ...(await checkedAccount(caller, asked, caller.language)) }
      }),
  )
  server.registerTool(
    'quote',
    { description: 'What these goods would cost now.', inputSchema: z.object({ lines }) },
    (body) =>
      answered('browse', async () => {
        const wanted = wantedOf(caller, 'quote', body.lines, undefined)
        const { amountMinor } = await priceFor(caller.ctx, caller, wanted)
        return { total: moneyOf(caller, amountMinor) }
      }),
  )
}

function addBuying(server: McpServer, caller: AgentCaller, answered: Answered): void {
  server.registerTool(
    'buy',
    {
      description:
        'Buy goods and pay them from the balance. `reference` is your own name of the purchase and buys once: keep it, and use it again only for the same goods. Above a limit a person agrees first: then `confirm_at` is answered; give that link to them, and call again with the same reference once they have agreed.',
      inputSchema: z.object({ reference: referenceShape, lines, max_total: maxTotal }),
    },
    (body) =>
      answered('order', () =>
        buy(caller, wantedOf(caller, body.reference, body.lines, body.max_total)),
      ),
  )
  server.registerTool(
    'order_status',
    {
      description: 'How a purchase stands, by its reference.',
      inputSchema: z.object({ reference: referenceShape }),
    },
    (body) => answered('order', async () => viewOf(caller, await found(caller, body))),
  )
  server.registerTool(
    'keys',
    {
      description:
        'The codes of what was delivered. They are worth money: show them to nobody but the person.',
      inputSchema: z.object({ reference: referenceShape }),
    },
    (body) => answered('reveal', () => keysOf(caller, body.reference)),
  )
}

function search({ shop, language, currency }: AgentCaller, words: string) {
  const { goods } = searchEverything(shop, words, null, language, currency)
  return [...goods.values()]
    .flat()
    .flatMap(({ products }) => products)
    .slice(0, FOUND_MAX)
    .map(({ code, brand, region }) => ({
      product: code,
      name: brand.name.en,
      region: region.name.en,
    }))
}

async function itemsOf(caller: AgentCaller, code: string) {
  const product = findProduct(caller.shop, code)
  if (!product) throw new AppError('not_found')
  const view = { ...caller, roleId: caller.key.roleId }
  const offers = await pricesAt(
    caller.ctx.db,
    view,
    product.items.map((item) => item.code),
  )
  return product.items.flatMap(
    (item) => listedItem(view, { product, item }, offers.get(item.code)) ?? [],
  )
}

async function buy(caller: AgentCaller, wanted: WantedGoods): Promise<Answer> {
  const { ctx, key } = caller
  if (await findReferenced(ctx.db, key.accountId, wanted))
    return viewOf(caller, await orderByReference(ctx, caller, wanted))
  const priced = await priceFor(ctx, caller, wanted)
  if (priced.usdMinor > key.orderMax) throw new AppError('over_limit')
  // What was looked at is what is bought, at most: a price that rises meanwhile is not bought without a person.
  const orderUpTo = async (maxMinor: bigint) =>
    viewOf(caller, await orderByReference(ctx, caller, { ...wanted, maxMinor }))
  if (key.agentMax !== null && priced.usdMinor <= key.agentMax) return orderUpTo(priced.amountMinor)
  const asked = await askPerson(ctx, {
    accountId: key.accountId,
    keyId: key.id,
    reference: wanted.reference,
    requestHash: hashOf(wanted),
    currency: caller.currency.code,
    amountMinor: priced.amountMinor,
    lines: wanted.lines.map(({ item, quantity, fields, amountMinor }, index) => ({
      item,
      quantity,
      ...(amountMinor ? { amountMinor: amountMinor.toString() } : {}),
      account: Object.values(fields),
      name: nameOf(caller, item),
      price: toMajor(priced.lines[index]?.priceMinor ?? 0n, caller.currency.minorUnits),
    })),
  })
  if (asked.state !== 'approved') return waiting(caller, asked)
  const { maxMinor } = wanted
  return orderUpTo(maxMinor !== null && maxMinor < asked.amountMinor ? maxMinor : asked.amountMinor)
}

const waiting = (caller: AgentCaller, asked: Confirmation): Answer => ({
  result: asked.state === 'refused' ? 'refused_by_person' : 'needs_confirmation',
  total: moneyOf(caller, asked.amountMinor),
  ...(asked.state === 'refused'
    ? {}
    : {
        confirm_at: `${caller.publicUrl}/agent/confirm?id=${asked.publicId}`,
        until: asked.endsAt.toISOString(),
      }),
})

function nameOf(caller: AgentCaller, code: string): string {
  const known = findItem(caller.shop, code)
  return known ? `${known.product.brand.name.en}: ${known.item.name || known.item.code}` : code
}

async function keysOf(caller: AgentCaller, reference: string): Promise<Answer> {
  const { key, services, ctx, visitor } = caller
  const { order } = await found(caller, { reference })
  if (!order) throw new AppError('not_delivered')
  const opened = await openKeys(ctx, services.vault, key, {
    order: order.publicId,
    network: visitor.network,
  })
  return { keys: opened.map(({ item, parts }) => ({ item, parts: { ...parts } })) }
}

const moneyOf = ({ currency }: AgentCaller, minor: bigint) => ({
  amount: toMajor(minor, currency.minorUnits),
  currency: currency.code,
})

/** What the shop refuses is the tool's answer, not a fault of the protocol. */
function refused({ t }: AgentCaller, error: unknown) {
  const known = refusalOf(error, t)
  if (!known || !isAppError(error)) throw error
  const { code, msg, data } = known.envelope
  return {
    isError: true,
    content: [
      { type: 'text' as const, text: JSON.stringify({ code, reason: error.code, msg, data }) },
    ],
  }
}
