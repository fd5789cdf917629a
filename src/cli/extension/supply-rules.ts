import { randomUUID } from 'node:crypto'
import type { Money } from '#kernel/money.ts'
import type {
  PurchaseOutcome,
  SupplyProduct,
  SupplyProvider,
  SupplyPurchase,
} from '#providers/supply/provider.ts'
import { must, needed, NotTried, signatureRules, type Extension, type Rule } from './rules.ts'

/** What may be bought on the way; null for nothing, as buying costs money. */
export interface Buying {
  readonly product: string
  readonly fields: Readonly<Record<string, string>>
}

interface Trial {
  readonly provider: SupplyProvider
  readonly buying: Buying | null
  readonly products: Map<string, SupplyProduct>
  cost: Money | null
  bought: { readonly purchase: SupplyPurchase; readonly id: string } | null
}

const PAGES_MOST = 200

/** The contract of a supplier, as `src/providers/supply/hook/README.md` has it. */
export function supplyRules(
  extension: Extension,
  provider: SupplyProvider,
  buying: Buying | null,
): readonly Rule[] {
  const trial: Trial = { provider, buying, products: new Map(), cost: null, bought: null }
  return [
    ...goodsRules(trial),
    ...signatureRules(extension, { action: 'balances' }),
    ...nothingRules(trial),
    ...buyingRules(trial),
  ]
}

function goodsRules({ provider, products }: Trial): readonly Rule[] {
  return [
    {
      says: '`catalogue` is answered within 30 seconds, in JSON of at most a megabyte a page, with products that can be read, each once.',
      async holds() {
        let cursor: string | null = null
        for (let count = 0; count < PAGES_MOST; count += 1) {
          const page = await provider.catalogue(cursor)
          must(page.unread.length === 0, `${page.unread.length} products cannot be read`)
          for (const product of page.products) {
            must(!products.has(product.id), `${product.id} stands in it twice`)
            products.set(product.id, product)
          }
          must(page.next === null || page.next !== cursor, 'a page leads to itself')
          if (page.next === null) break
          cursor = page.next
        }
        must(products.size > 0, 'there is no product in it')
      },
    },
    {
      says: '`balances` tells what lies there for the shop.',
      async holds() {
        needed([...products.keys()][0], 'catalogue')
        await provider.balances()
      },
    },
    {
      says: '`report` tells what was bought in a span of time.',
      async holds() {
        needed([...products.keys()][0], 'catalogue')
        const now = Date.now()
        const page = await provider.report?.(new Date(now - 86_400_000), new Date(now), null)
        must(page && page.unread === 0, `${page?.unread ?? 'some'} purchases cannot be read`)
      },
    },
  ]
}

const orderOf = (product: SupplyProduct | null, fields: Buying['fields'] = {}) => ({
  kind: product?.kind ?? ('giftcard' as const),
  product: product?.id ?? `none-${randomUUID()}`,
  quantity: 1,
  face: product?.faces.kind === 'range' ? product.faces.min : null,
  fields,
})

const purchaseOf = (order: ReturnType<typeof orderOf>, maxCost: Money | null): SupplyPurchase => ({
  ...order,
  reference: randomUUID(),
  maxCost,
  token: null,
  buyerAddress: null,
})

const told = (outcome: PurchaseOutcome | { readonly kind: 'not_found' }) =>
  'why' in outcome ? `${outcome.kind}: ${outcome.why}` : outcome.kind

function nothingRules({ provider, products }: Trial): readonly Rule[] {
  const isThere = () => needed([...products.keys()][0], 'catalogue')
  return [
    {
      says: '`lookup` of a reference that nobody has used is `not_found`.',
      async holds() {
        isThere()
        const purchase = purchaseOf(orderOf(null), null)
        const found = await provider.lookup({ purchase, supplierId: null })
        must(found.kind === 'not_found', `it was answered with ${told(found)}`)
      },
    },
    {
      says: 'A `purchase` of what there is not has `failed`, and nothing else was done.',
      async holds() {
        isThere()
        const outcome = await provider.purchase(purchaseOf(orderOf(null), null))
        must(outcome.kind === 'failed', `it was answered with ${told(outcome)}`)
      },
    },
  ]
}

function buyingRules(trial: Trial): readonly Rule[] {
  const { provider, products } = trial
  const chosen = () => {
    if (!trial.buying) throw new NotTried('buying costs money: name a product with --buy')
    const { product: id, fields } = trial.buying
    needed([...products.keys()][0], 'catalogue')
    const product = products.get(id)
    must(product, `the catalogue has no product ${id}`)
    return orderOf(product, fields)
  }
  const bought = () => {
    chosen()
    return needed(trial.bought, 'purchase')
  }
  return [
    {
      says: '`quote` tells what the product costs.',
      async holds() {
        const quoted = await provider.quote(chosen())
        must(quoted.kind === 'quote', `it was answered with ${told(quoted as PurchaseOutcome)}`)
        trial.cost = quoted.cost
      },
    },
    {
      says: 'A `purchase` that would cost more than `max_cost` has failed with the class `price`.',
      async holds() {
        const order = chosen()
        const cost = needed(trial.cost, 'cost')
        const less = { ...cost, minor: cost.minor - 1n }
        if (less.minor < 1n) throw new NotTried('it costs next to nothing')
        const outcome = await provider.purchase(purchaseOf(order, less))
        must(
          outcome.kind === 'failed' && outcome.class === 'price',
          `it was answered with ${told(outcome)}`,
        )
      },
    },
    {
      says: 'A `purchase` is done or accepted, for no more than `max_cost`.',
      async holds() {
        const purchase = purchaseOf(chosen(), needed(trial.cost, 'cost'))
        const outcome = await provider.purchase(purchase)
        must(
          outcome.kind === 'done' || outcome.kind === 'accepted',
          `it was answered with ${told(outcome)}`,
        )
        trial.bought = { purchase, id: outcome.supplierId }
      },
    },
    {
      says: 'The same `purchase` sent again buys nothing more: it tells how the first stands.',
      async holds() {
        const { purchase, id } = bought()
        const again = await provider.purchase(purchase)
        must('supplierId' in again && again.supplierId === id, `it was ${told(again)}`)
      },
    },
    {
      says: '`lookup` tells of the same purchase.',
      async holds() {
        const { purchase, id } = bought()
        const found = await provider.lookup({ purchase, supplierId: id })
        must(found.kind === 'done' || found.kind === 'accepted', `it was ${told(found)}`)
      },
    },
  ]
}
