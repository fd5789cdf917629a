import { randomInt } from 'node:crypto'
import type { Journal } from '../payment/journal.ts'
import type { Good } from './goods.ts'
import { scenarioOf, type Scenario } from './scenarios.ts'

export interface Card {
  readonly code: string
  readonly pin: string
  readonly serial: string
  readonly expires: string
}

/** A purchase in the books of a sandboxed supplier. Amounts are US cents. */
export interface Sale {
  readonly supplier: string
  readonly id: string
  readonly reference: string
  readonly sku: string
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
  /** What was asked for, where the buyer names an amount. */
  readonly face: { readonly amount: string; readonly currency: string } | null
  readonly cost: string
  readonly scenario: Scenario
  readonly cards: readonly Card[]
  readonly at: number
  readonly state: 'pending' | 'done' | 'failed' | 'returned'
  /** When it changes, and to what. */
  readonly next: { readonly at: number; readonly state: 'done' | 'failed' } | null
}

export type Refusal =
  | 'account'
  | 'wait'
  | 'unavailable'
  | 'balance'
  | 'price'
  | 'undocumented'
  | 'duplicate'

/** How the answer goes out. */
export type Way = 'whole' | 'broken' | 'slow' | 'fault' | 'garbage' | 'drip' | 'endless'

/** What in the answer is a lie. */
export type Lie = 'amount' | 'reference' | 'contradiction'

export type Bought =
  | { readonly refused: Refusal }
  | { readonly refused: 'lost_request' }
  | { readonly sale: Sale; readonly way: Way; readonly lie: Lie | null }

export interface BuyRequest {
  readonly supplier: string
  readonly reference: string
  readonly good: Good
  readonly quantity: number
  readonly fields: Readonly<Record<string, string>>
  readonly account: string | null
  readonly face?: { readonly amount: string; readonly currency: string } | undefined
  /** US cents for one, where the buyer names the face amount. */
  readonly cost?: bigint
  /** The most that the buyer pays, US cents. */
  readonly max?: bigint
  /** A reference that was used is refused, and not bought under again. */
  readonly isReferenceUnique: boolean
}

export interface Books {
  readonly buy: (request: BuyRequest) => Promise<Bought>
  readonly find: (supplier: string, reference: string) => readonly Sale[]
  readonly byId: (supplier: string, id: string) => Sale | undefined
  readonly giveBack: (sale: Sale) => Promise<void>
  readonly sales: () => readonly Sale[]
  /** US cents. */
  readonly balance: (supplier: string) => bigint
  readonly setBalance: (supplier: string, cents: bigint) => Promise<void>
  /** Sales whose time has come change. */
  readonly settle: (now: number) => Promise<void>
  readonly close: () => Promise<void>
}

type Line = { readonly sale: Sale } | { readonly supplier: string; readonly added: string }

const START_CENTS = 5_000_000n
const LATER_MS = 2_000
const KEPT_MS = 45 * 86_400_000
const REVERSED_MS = 3_000
const WAYS: Partial<Record<Scenario, Way>> = {
  lost_answer: 'broken',
  slow: 'slow',
  fault: 'fault',
  garbage: 'garbage',
  drip: 'drip',
  endless: 'endless',
}
const LIES: ReadonlySet<string> = new Set<Lie>(['amount', 'reference', 'contradiction'])
const REFUSED: ReadonlySet<string> = new Set<Refusal>([
  'account',
  'wait',
  'unavailable',
  'balance',
  'undocumented',
])

/** What every sandboxed supplier has sold and holds of the shop's money; a change is on the disk before it is told of. */
export function openBooks(journal: Journal, onChange: (sale: Sale) => void): Books {
  const sales = new Map<string, Sale>()
  const added = new Map<string, bigint>()
  for (const line of journal.read() as Iterable<Line>) {
    if ('sale' in line) sales.set(line.sale.id, line.sale)
    else added.set(line.supplier, (added.get(line.supplier) ?? 0n) + BigInt(line.added))
  }
  forgetOld(sales, added, Date.now())
  journal.rewrite([
    ...[...added].map(([supplier, cents]): Line => ({ supplier, added: String(cents) })),
    ...[...sales.values()].map((sale): Line => ({ sale })),
  ])
  const index = openIndex(sales.values())
  const { byId, find } = index
  const balance = (supplier: string) =>
    START_CENTS + (added.get(supplier) ?? 0n) - index.spent(supplier)
  const put = async (sale: Sale) => {
    index.keep(sale)
    await journal.append({ sale })
    onChange(sale)
  }
  return {
    find,
    balance,
    byId,
    sales: index.all,
    giveBack: (sale) => put({ ...sale, state: 'returned', next: null }),
    async buy(request) {
      const scenario = scenarioOf(request.good.sku, request.account)
      if (request.isReferenceUnique && find(request.supplier, request.reference).length > 0)
        return { refused: 'duplicate' }
      if (scenario === 'lost_request') return { refused: 'lost_request' }
      if (scenario === 'account_late') return { refused: 'account' }
      if (REFUSED.has(scenario)) return { refused: scenario as Refusal }
      const each = request.cost ?? request.good.cost
      const dearer = scenario === 'dearer' ? (each * 11n + 9n) / 10n : each
      const cost = dearer * BigInt(request.quantity)
      if (request.max !== undefined && cost > request.max) return { refused: 'price' }
      if (cost > balance(request.supplier)) return { refused: 'balance' }
      const sale = saleOf(request, scenario, cost, Date.now())
      await put(sale)
      const lie = LIES.has(scenario) ? (scenario as Lie) : null
      return { sale, way: WAYS[scenario] ?? 'whole', lie }
    },
    async setBalance(supplier, cents) {
      const more = cents - balance(supplier)
      added.set(supplier, (added.get(supplier) ?? 0n) + more)
      await journal.append({ supplier, added: String(more) })
    },
    async settle(now) {
      for (const sale of index.changing())
        if (sale.next && sale.next.at <= now)
          await put({ ...sale, state: sale.next.state, next: null })
    },
    close: () => journal.close(),
  }
}

/** Sales by what they are asked for, kept up to date with each: adding up thousands for every purchase takes longer than the purchase. */
function openIndex(known: Iterable<Sale>) {
  const sales = new Map<string, Sale>()
  const spent = new Map<string, bigint>()
  const byReference = new Map<string, Set<string>>()
  const changing = new Set<string>()
  const enter = ({ supplier, state, cost }: Sale, sign: bigint) => {
    if (state === 'pending' || state === 'done')
      spent.set(supplier, (spent.get(supplier) ?? 0n) + sign * BigInt(cost))
  }
  const keep = (sale: Sale) => {
    const before = sales.get(sale.id)
    if (before) enter(before, -1n)
    enter(sale, 1n)
    sales.set(sale.id, sale)
    const name = `${sale.supplier} ${sale.reference}`
    byReference.set(name, (byReference.get(name) ?? new Set()).add(sale.id))
    if (sale.next) changing.add(sale.id)
    else changing.delete(sale.id)
  }
  const byId = (supplier: string, id: string) => {
    const sale = sales.get(id)
    return sale?.supplier === supplier ? sale : undefined
  }
  for (const sale of known) keep(sale)
  return {
    keep,
    byId,
    all: () => [...sales.values()],
    spent: (supplier: string) => spent.get(supplier) ?? 0n,
    changing: () => [...changing].flatMap((id) => sales.get(id) ?? []),
    find: (supplier: string, reference: string) =>
      [...(byReference.get(`${supplier} ${reference}`) ?? [])].flatMap(
        (id) => byId(supplier, id) ?? [],
      ),
  }
}

/** What is over for long is kept as what it cost. */
function forgetOld(sales: Map<string, Sale>, added: Map<string, bigint>, now: number): void {
  for (const { id, supplier, at, state, cost } of sales.values()) {
    if (state === 'pending' || now - at < KEPT_MS) continue
    if (state === 'done') added.set(supplier, (added.get(supplier) ?? 0n) - BigInt(cost))
    sales.delete(id)
  }
}

function saleOf(request: BuyRequest, scenario: Scenario, cost: bigint, at: number): Sale {
  const isLater = scenario === 'later' || scenario === 'fails' || scenario === 'notices'
  const next =
    scenario === 'reversed'
      ? ({ at: at + REVERSED_MS, state: 'failed' } as const)
      : isLater
        ? ({ at: at + LATER_MS, state: scenario === 'fails' ? 'failed' : 'done' } as const)
        : null
  const isCard = request.good.kind === 'giftcard' || request.good.kind === 'key'
  return {
    supplier: request.supplier,
    id: String(randomInt(10 ** 9, 10 ** 12)),
    reference: request.reference,
    sku: request.good.sku,
    quantity: request.quantity,
    fields: request.fields,
    face: request.face ?? null,
    cost: String(cost),
    scenario,
    cards: isCard ? Array.from({ length: request.quantity }, newCard) : [],
    at,
    state: isLater ? 'pending' : 'done',
    next,
  }
}

/** Marked, so that nobody takes one for a card of value. */
function newCard(): Card {
  const part = () => String(randomInt(1_000, 9_999))
  return {
    code: `SANDBOX-${part()}-${part()}-${part()}`,
    pin: part(),
    serial: `SBX${part()}${part()}`,
    expires: '2031-12-31',
  }
}
