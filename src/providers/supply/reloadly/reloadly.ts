import { z } from 'zod'
import {
  SupplyUnavailable,
  type CataloguePage,
  type SupplyBalance,
  type SupplyCapabilities,
  type SupplyProvider,
} from '../provider.ts'
import { roundedMoney } from '../wire/amounts.ts'
import { buyAirtime, detectOperator, findAirtime, quoteAirtime } from './airtime.ts'
import { openReloadlyApi, type Part, type ReloadlyApi, type ReloadlyOptions } from './api.ts'
import { buyCards, cardProductOf, findCards, quoteCards, takeCards } from './gift-cards.ts'
import { readReloadlyNotice } from './notice.ts'
import { productOf, readOperator } from './operators.ts'
import { readReport } from './report.ts'

/** A top-up that fails may hold its answer for most of a minute. */
export const RELOADLY_TIMEOUT_MS = 90_000

const CAPABILITIES: SupplyCapabilities = {
  kinds: ['recharge', 'data', 'giftcard'],
  idempotency: 'reference',
  // How soon a report shows a transaction is not verified: ten times the longest call.
  notFoundIsFinalAfterSeconds: 900,
  lookupMayBuyAfterSeconds: null,
  checksAccounts: true,
  sendsNotices: true,
  enforcesMaxCost: false,
  needsBuyerAddress: false,
  maxQuantity: 10,
  // Its limits are not published.
  limits: { concurrent: 4, perSecond: 4 },
  answersWithinSeconds: (3 * RELOADLY_TIMEOUT_MS) / 1_000,
}
const PAGE = 200
const page = z.object({ content: z.array(z.unknown()), totalPages: z.string().optional() })
const balance = z.object({ balance: z.string(), currencyCode: z.string() })
const named = z.object({
  operatorId: z.string().optional(),
  id: z.string().optional(),
  productId: z.string().optional(),
})

/** Airtime, data and gift cards. */
export function createReloadlySupplier(options: ReloadlyOptions): SupplyProvider {
  const api = openReloadlyApi(options)
  const { now, webhookSecrets } = options
  return {
    code: 'reloadly',
    capabilities: { ...CAPABILITIES, sendsNotices: webhookSecrets.length > 0 },
    catalogue: (cursor) => catalogue(api, cursor),
    quote: (order) =>
      order.kind === 'giftcard' ? quoteCards(api, order, now) : quoteAirtime(api, order, now),
    validateAccount: async (order) =>
      order.kind === 'giftcard'
        ? { kind: 'unchecked', why: 'a gift card has no account' }
        : detectOperator(api, order, now),
    purchase: (purchase) =>
      purchase.kind === 'giftcard' ? buyCards(api, purchase, now) : buyAirtime(api, purchase, now),
    lookup: (request) =>
      request.purchase.kind === 'giftcard' ? findCards(api, request) : findAirtime(api, request),
    cards: (request) => takeCards(api, request),
    balances: () => balances(api),
    report: (from, to, cursor) => readReport(api, from, to, cursor),
    readNotice: async (body, headers, at) => readReloadlyNotice(body, headers, at, webhookSecrets),
  }
}

/** Operators first, then gift cards; the cursor is `topups:2`. */
async function catalogue(api: ReloadlyApi, cursor: string | null): Promise<CataloguePage> {
  const [, part = 'topups', number = '1'] =
    /^(topups|giftcards):(\d{1,5})$/.exec(cursor ?? '') ?? []
  const path =
    part === 'topups'
      ? `/operators?includeBundles=true&includeData=true&size=${PAGE}&page=${number}`
      : `/products?size=${PAGE}&page=${number}`
  const exchange = await api(part as Part, { method: 'GET', path })
  const parsed = page.safeParse(
    exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null,
  )
  if (!parsed.success) throw new SupplyUnavailable('the catalogue could not be read')
  const read = parsed.data.content.map((json) => ({
    json,
    product: part === 'topups' ? operatorProduct(json) : cardProductOf(json),
  }))
  const isLast = Number(number) >= Number(parsed.data.totalPages ?? '1')
  return {
    products: read.flatMap(({ product }) => (product ? [product] : [])),
    unread: read.flatMap(({ json, product }) => (product ? [] : [nameOf(json)])),
    next: isLast ? (part === 'topups' ? 'giftcards:1' : null) : `${part}:${Number(number) + 1}`,
  }
}

function operatorProduct(json: unknown) {
  const known = readOperator(json)
  return known ? productOf(known) : null
}

function nameOf(json: unknown): string {
  const { operatorId, id, productId } = named.safeParse(json).data ?? {}
  return operatorId ?? id ?? productId ?? '?'
}

async function balances(api: ReloadlyApi): Promise<readonly SupplyBalance[]> {
  const exchange = await api('topups', { method: 'GET', path: '/accounts/balance' })
  const told = balance.safeParse(
    exchange.kind === 'answer' && exchange.status === 200 ? exchange.json : null,
  ).data
  const available = told ? roundedMoney(told.balance, told.currencyCode, 'down') : null
  if (!available) throw new SupplyUnavailable('the balance could not be read')
  return [{ available }]
}
