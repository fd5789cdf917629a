import type { Chance } from '../chance.ts'
import type { Heard } from './messages.ts'
import { BUYS_AGAIN_AFTER_SECONDS, SILENCE_SECONDS } from './suppliers.ts'

/** What one is sold for; now and then it is another price. */
export const COST = 700
const DEARER = 1_050
const CHEAPER = 690

/** A sale in a simulated supplier's own books; cents. */
export interface Sale {
  readonly supplier: string
  readonly id: string
  readonly reference: string
  readonly product: string
  readonly cost: number
  readonly state: 'pending' | 'done' | 'failed' | 'reversed'
  /** The code of a card; null of what is credited. */
  readonly card: string | null
}

/** What it does with a purchase, each so often in a hundred. */
const ACTS = {
  done: 38,
  /** Time-out after success: what came was nothing, one byte a second, a gigabyte, or half an answer. */
  lost_answer: 6,
  drip: 2,
  gigabyte: 2,
  garbage: 3,
  /** Time-out before success: it never arrives, or hours later. */
  lost_call: 4,
  late_call: 4,
  /** Bought, and the answer contradicts itself, is about more of it, or about another order's. */
  contradiction: 3,
  quantity: 3,
  other_reference: 3,
  other_id: 2,
  /** Bought at another price than was agreed. */
  dearer: 1,
  cheaper: 2,
  accepted: 6,
  accepted_failed: 3,
  failed: 5,
  /** Said to have failed, and bought hours later. */
  failed_bought: 2,
  wrong_account: 3,
  wait: 2,
  no_balance: 1,
  price: 2,
  /** Done, and taken back hours later. */
  reversed: 3,
} as const
type Act = keyof typeof ACTS
const ACT_NAMES = Object.keys(ACTS) as Act[]

/** What it does when it is asked, each so often in a hundred. */
const TELLS = { truth: 75, broken: 15, garbage: 3, other_reference: 3, contradiction: 4 } as const
type Tell = keyof typeof TELLS
const TELL_NAMES = Object.keys(TELLS) as Tell[]

/** In a row about one purchase: who is asked for a day hears the truth once, or never. */
const LIES_MOST = 4
const BYTES_TOO_MANY = 'the answer is too large'
const NOT_IN_TIME = 'no whole answer in time'
const SECOND = 1_000
const HOUR = 3_600_000

interface Event {
  readonly at: number
  readonly run: () => void
}

interface Told {
  readonly action: string
  readonly reference: string
  readonly product: string
  readonly token?: string | null
}

export interface World {
  /** A call has come; what it does is done, and whoever calls may hear of it. */
  readonly take: (supplier: string, body: string, worker: string) => Heard
  /** A call that has left a worker that died before it arrived anywhere. */
  readonly lose: (supplier: string, body: string) => void
  /** Everything due happens. @returns purchases of which suppliers then send notices, once or more often */
  readonly settle: () => readonly { readonly supplier: string; readonly reference: string }[]
  /** When something happens next. */
  readonly nextAt: () => number | null
  /** What workers were told by now is written, but for those that died. */
  readonly turned: (dead: ReadonlySet<string>) => void
  readonly sales: () => readonly Sale[]
  /** How often a purchase was sent, by reference. */
  readonly sent: ReadonlyMap<string, number>
  /** How often each was done. */
  readonly acts: ReadonlyMap<string, number>
  /** What nobody may send. */
  readonly faults: readonly string[]
}

/** Suppliers whose books nobody else writes, and who lie about them. */
export function createWorld(chance: Chance, now: () => number, { isOfCards = false } = {}): World {
  const books = openBooks(isOfCards)
  const tokens = openTokens(chance)
  const events: Event[] = []
  const notices: { supplier: string; reference: string }[] = []
  const firstAt = new Map<string, number>()
  /** Those about which it never says anything. */
  const mute = new Set<string>()
  /** How often in a row it has not told how one stands. */
  const lies = new Map<string, number>()
  const sent = new Map<string, number>()
  const acts = new Map<string, number>()
  const faults: string[] = []
  const told: { readonly id: string; readonly worker: string }[] = []
  const written: string[] = []
  const later = (least: number, most: number, run: () => void) =>
    void events.push({ at: now() + least + chance.next() * (most - least), run })
  const notify = ({ supplier, reference }: Sale) => {
    for (let times = 1 + chance.below(3); times > 0; times -= 1)
      notices.push({ supplier, reference })
  }
  const change = (sale: Sale, state: Sale['state'], isTold: boolean) => {
    books.put({ ...sale, state })
    if (isTold) notify(sale)
  }
  const meet = (reference: string): void => {
    if (firstAt.has(reference)) return
    firstAt.set(reference, now())
    if (chance.happens(0.02)) mute.add(reference)
  }
  const anothers = () => written.at(-1) ?? ''
  const hands: Hands = { books, chance, later, change, notify, anothers }

  const take: World['take'] = (supplier, body, worker) => {
    const call = JSON.parse(body) as Told
    if (call.action === 'quote') return spoken({ cost: money(COST) })
    if (call.action === 'validate') return tokens.give()
    const { reference } = call
    meet(reference)
    if (call.action === 'purchase') {
      if (supplier === 'second' && !isOfCards && !tokens.take(call.token))
        faults.push(`a purchase came without a token of now: ${reference}`)
      sent.set(reference, (sent.get(reference) ?? 0) + 1)
      const act = actOf(supplier, mute.has(reference), chance, written.length > 0)
      acts.set(act, (acts.get(act) ?? 0) + 1)
      const heard = bought(hands, act, supplier, call)
      if (act === 'done') told.push({ id: books.of(reference).at(-1)?.id ?? '', worker })
      return heard
    }
    const age = (now() - (firstAt.get(reference) ?? 0)) / SECOND
    if (supplier === 'third') buyByAsking(books, supplier, call, age)
    const isMute = mute.has(reference)
    const tell = isMute ? 'broken' : tellOf(lies.get(reference) ?? 0, chance)
    lies.set(reference, tell === 'truth' ? 0 : (lies.get(reference) ?? 0) + 1)
    return asked(hands, tell, reference)
  }
  return {
    take,
    sent,
    acts,
    faults,
    lose(_, body) {
      const { action, reference } = JSON.parse(body) as Told
      if (action !== 'validate' && action !== 'quote') meet(reference)
    },
    settle() {
      for (;;) {
        const due = events.findIndex(({ at }) => at <= now())
        if (due === -1) return notices.splice(0)
        events.splice(due, 1)[0]?.run()
      }
    },
    nextAt: () => events.reduce<number | null>((least, { at }) => Math.min(least ?? at, at), null),
    turned(dead) {
      written.push(...told.splice(0).flatMap(({ id, worker }) => (dead.has(worker) ? [] : [id])))
    },
    sales: () => books.all(),
  }
}

interface Tokens {
  /** What a check of an account is answered; now and then with nothing. */
  readonly give: () => Heard
  /** Whether it is one that nobody has used. */
  readonly take: (token: string | null | undefined) => boolean
}

function openTokens(chance: Chance): Tokens {
  const open = new Set<string>()
  let count = 0
  return {
    give() {
      if (chance.happens(0.05)) return { kind: 'broken', why: NOT_IN_TIME }
      const token = `token-${(count += 1)}`
      open.add(token)
      return spoken({ valid: true, token })
    },
    take: (token) => open.delete(token ?? ''),
  }
}

interface Hands {
  readonly books: Books
  readonly chance: Chance
  readonly later: (leastMs: number, mostMs: number, run: () => void) => void
  readonly change: (sale: Sale, state: Sale['state'], isTold: boolean) => void
  readonly notify: (sale: Sale) => void
  /** The name of a sale that another order has been told of. */
  readonly anothers: () => string
}

interface Books {
  readonly sell: (
    supplier: string,
    told: Pick<Told, 'reference' | 'product'>,
    cost?: number,
    state?: Sale['state'],
  ) => Sale
  readonly put: (sale: Sale) => void
  readonly of: (reference: string) => readonly Sale[]
  readonly all: () => readonly Sale[]
}

function openBooks(isOfCards: boolean): Books {
  const sales = new Map<string, Sale[]>()
  let count = 0
  const of = (reference: string) => sales.get(reference) ?? []
  return {
    of,
    all: () => [...sales.values()].flat(),
    put: (sale) =>
      void sales.set(
        sale.reference,
        of(sale.reference).map((each) => (each.id === sale.id ? sale : each)),
      ),
    sell(supplier, { reference, product }, cost = COST, state = 'done') {
      const id = `${supplier}-${(count += 1)}`
      const card = isOfCards ? `CARD${String(count).padStart(8, '0')}` : null
      const sale = { supplier, id, reference, product, cost, state, card }
      sales.set(reference, [...of(reference), sale])
      return sale
    },
  }
}

/** What only its own report would tell is not done: news of what is over come from those that can be asked about it. */
function actOf(supplier: string, isMute: boolean, chance: Chance, hasOthers: boolean): Act {
  const act = chance.weigh(ACTS, ACT_NAMES)
  if (isMute && (act === 'dearer' || act === 'cheaper')) return 'lost_answer'
  const isChanged = act === 'failed_bought' || act === 'reversed'
  if (isChanged && (isMute || supplier === 'third')) return 'done'
  if (act === 'other_id' && !hasOthers) return 'done'
  // It refuses everybody's purchases from then on.
  if (act === 'no_balance' && chance.happens(0.8)) return 'done'
  return act
}

function bought(hands: Hands, act: Act, supplier: string, told: Told): Heard {
  const { books, later, change, notify, chance } = hands
  const { reference } = told
  const sell = (cost = COST, state: Sale['state'] = 'done') =>
    books.sell(supplier, told, cost, state)
  switch (act) {
    case 'done':
      return spoken(doneBody(sell()))
    case 'dearer':
      return spoken(doneBody(sell(DEARER)))
    case 'cheaper':
      return spoken(doneBody(sell(CHEAPER)))
    case 'lost_answer':
      sell()
      return { kind: 'broken', why: 'ECONNRESET' }
    case 'drip':
      sell()
      return { kind: 'broken', why: NOT_IN_TIME }
    case 'gigabyte':
      sell()
      return { kind: 'broken', why: BYTES_TOO_MANY }
    case 'garbage':
      return halved(doneBody(sell()))
    case 'contradiction':
      return spoken({ ...doneBody(sell()), class: 'supplier' })
    case 'quantity':
      return spoken({ ...doneBody(sell()), quantity: 2 })
    case 'other_reference':
      return spoken({ ...doneBody(sell()), reference: `other-${reference}`.slice(0, 40) })
    case 'other_id':
      return spoken({ ...doneBody(sell()), id: hands.anothers() })
    case 'lost_call':
      return { kind: 'broken', why: NOT_IN_TIME }
    case 'late_call': {
      const [least, most] = LATE[supplier] ?? [SECOND, SECOND]
      later(least, most, () => {
        if (books.of(reference).length === 0) notify(sell())
      })
      return { kind: 'broken', why: NOT_IN_TIME }
    }
    case 'accepted':
    case 'accepted_failed': {
      const sale = sell(COST, 'pending')
      later(SECOND, 20 * HOUR, () =>
        change(sale, act === 'accepted' ? 'done' : 'failed', chance.happens(0.7)),
      )
      return spoken({ outcome: 'accepted', reference, id: sale.id })
    }
    case 'failed_bought':
      later(HOUR, 5 * HOUR, () => notify(sell()))
      return refused(told, 'supplier')
    case 'reversed': {
      const sale = sell()
      later(2 * HOUR, 10 * HOUR, () => change(sale, 'reversed', true))
      return spoken(doneBody(sale))
    }
    case 'failed':
    case 'wrong_account':
    case 'wait':
    case 'no_balance':
    case 'price':
      return refused(told, CLASSES[act])
    default:
      return act satisfies never
  }
}

const CLASSES = {
  failed: 'supplier',
  wrong_account: 'customer',
  wait: 'wait',
  no_balance: 'ours',
  price: 'price',
} as const

/** How late a purchase may arrive: at one that keeps its word about silence before that says anything. */
const LATE: Readonly<Record<string, readonly [number, number]>> = {
  first: [SECOND, (SILENCE_SECONDS - 20) * SECOND],
  second: [HOUR, 30 * HOUR],
  third: [HOUR, 10 * HOUR],
}

/** Where asking is sending it again: what never arrived is bought now, and what is too old once more. */
function buyByAsking(books: Books, supplier: string, told: Told, ageSeconds: number): void {
  if (books.of(told.reference).length === 0 || ageSeconds >= BUYS_AGAIN_AFTER_SECONDS)
    books.sell(supplier, { reference: told.reference, product: 'sku-1' })
}

const tellOf = (lies: number, chance: Chance): Tell =>
  lies >= LIES_MOST ? 'truth' : chance.weigh(TELLS, TELL_NAMES)

function asked({ books }: Hands, tell: Tell, reference: string): Heard {
  const [sale] = books.of(reference)
  const body = sale ? standing(sale) : { outcome: 'not_found', reference }
  switch (tell) {
    case 'truth':
      return spoken(body)
    case 'broken':
      return { kind: 'broken', why: NOT_IN_TIME }
    case 'garbage':
      return halved(body)
    case 'other_reference':
      return spoken({ ...body, reference: `other-${reference}`.slice(0, 40) })
    case 'contradiction':
      return spoken({ ...body, class: 'supplier', outcome: 'done' })
    default:
      return tell satisfies never
  }
}

function standing(sale: Sale): Record<string, unknown> {
  const { reference, id, state } = sale
  if (state === 'done') return doneBody(sale)
  if (state === 'pending') return { outcome: 'accepted', reference, id }
  return { outcome: 'failed', reference, id, class: 'supplier', code: 'taken_back' }
}

const money = (cents: number) => ({ amount: (cents / 100).toFixed(2), currency: 'USD' })

const doneBody = ({ reference, id, product, cost, card }: Sale): Record<string, unknown> => ({
  outcome: 'done',
  reference,
  id,
  product,
  quantity: 1,
  cost: money(cost),
  ...(card === null ? {} : { cards: [{ code: card }] }),
})

const refused = ({ reference }: Told, named: string): Heard =>
  spoken({ outcome: 'failed', reference, class: named, code: named })

const spoken = (body: unknown): Heard => ({ kind: 'answer', text: JSON.stringify(body) })

function halved(body: unknown): Heard {
  const text = JSON.stringify(body)
  return { kind: 'answer', text: `${text.slice(0, text.length / 2)}\u0000\u202e"` }
}
