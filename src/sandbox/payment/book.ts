import { randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import type { Journal } from './journal.ts'

const minor = z.string().regex(/^[0-9]{1,30}$/)
const currency = z.string().regex(/^[A-Z]{3,5}$/)
const money = z.object({ amount: minor, currency })

const sessionShape = z.object({
  id: z.string(),
  our_reference: z.string(),
  amount: minor,
  currency,
  order_number: z.string(),
  return_url: z.string(),
  /** BCP 47 tag of the payer's language. */
  locale: z.string().default('en'),
  method: z.string(),
  status: z.enum(['requires_action', 'seen', 'captured', 'failed', 'voided', 'expired']),
  captured: money.nullable(),
  disputed: z.boolean(),
  /** Minor units taken back by the payer's bank. */
  reversed: minor,
  failure: z.string().nullable(),
  /** Asked for on the page, while the payer's bank wants to know that it is them. */
  challenge: z.string().nullable(),
  created_at: z.number(),
  /** A pending payment goes through by itself then. */
  settles_at: z.number().nullable(),
})
/** A payment as this service keeps it; amounts are texts of minor units, times milliseconds. */
export type Session = z.infer<typeof sessionShape>

const refundShape = z.object({
  id: z.string(),
  our_reference: z.string(),
  session: z.string(),
  amount: minor,
  currency,
  status: z.enum(['pending', 'succeeded', 'failed']),
  failure: z.string().nullable(),
  created_at: z.number(),
})
export type Refund = z.infer<typeof refundShape>

const eventShape = z.object({ id: z.string(), body: z.string() })
/** A notice for the shop, as it is sent each time. */
export type Notice = z.infer<typeof eventShape>

const lineShape = z.object({
  session: sessionShape.optional(),
  refund: refundShape.optional(),
  event: eventShape.optional(),
  told: z.array(z.string()).optional(),
})
export type Line = z.infer<typeof lineShape>

const KEPT_DAYS = 40

export type NewSession = Pick<
  Session,
  'our_reference' | 'amount' | 'currency' | 'order_number' | 'return_url' | 'locale' | 'method'
>

export type NewRefund = Pick<Refund, 'our_reference' | 'amount' | 'currency' | 'status'>

/** Sessions made in [since, until), oldest first, after the one of that id. */
interface Span {
  readonly since: number
  readonly until: number
  readonly after: string
  readonly limit: number
}

/** What the service says no to; `code` goes out on the wire. */
export interface No {
  readonly no: string
}

/** Everything the service remembers. Each change is in its journal before anybody is told of it. */
export interface Book {
  readonly find: (id: string) => Session | undefined
  /** The session of that reference of the shop, made now unless it was before. */
  readonly create: (wanted: NewSession) => Promise<Session | No>
  readonly change: (session: Session, changes: Partial<Session>) => Promise<Session>
  readonly refund: (session: Session, wanted: NewRefund) => Promise<Refund | No>
  readonly findRefund: (ourReference: string) => Refund | undefined
  /** The payer's bank sends the last refund of a session that was sent out back. */
  readonly failRefund: (session: Session) => Promise<Refund | No>
  readonly list: (span: Span) => Session[]
  readonly due: (now: number) => Session[]
  /** Minor units taken and neither given nor taken back, by currency. */
  readonly balance: () => readonly { readonly amount: string; readonly currency: string }[]
  /** Notes that the shop has taken a notice. */
  readonly closeEvent: (id: string) => void
  readonly stop: () => Promise<void>
}

const newId = (prefix: string) => `${prefix}_${randomBytes(15).toString('base64url')}`
export const newCode = () => String(randomInt(100_000, 1_000_000))

/**
 * @param tell is handed every notice of a change, and at the start those that were not taken yet
 */
export function openBook(
  journal: Journal,
  tell: (event: Notice) => void,
  now: () => number = Date.now,
): Book {
  return new JournalledBook(journal, tell, now)
}

class JournalledBook implements Book {
  readonly #journal: Journal
  readonly #tell: (event: Notice) => void
  readonly #now: () => number
  readonly #sessions = new Map<string, Session>()
  readonly #byReference = new Map<string, string>()
  readonly #refunds = new Map<string, Refund>()
  /** Minor units given back, or about to be, by session. */
  readonly #returned = new Map<string, bigint>()
  readonly #waiting = new Map<string, Notice>()
  readonly #settling = new Set<string>()

  constructor(journal: Journal, tell: (event: Notice) => void, now: () => number) {
    this.#journal = journal
    this.#tell = tell
    this.#now = now
    for (const line of journal.read()) this.#keep(lineShape.parse(line))
    forgetOld(this.#sessions, this.#byReference, this.#refunds, now() - KEPT_DAYS * 86_400_000)
    journal.rewrite([
      ...[...this.#sessions.values()].map((session) => ({ session })),
      ...[...this.#refunds.values()].map((refund) => ({ refund })),
      ...[...this.#waiting.values()].map((event) => ({ event })),
    ])
    // After the caller has the book: a notice that is lost on purpose is closed in it at once.
    setImmediate(() => {
      for (const event of this.#waiting.values()) tell(event)
    })
  }

  balance() {
    const sums = new Map<string, bigint>()
    for (const { id, captured, reversed } of this.#sessions.values())
      if (captured) {
        const kept = BigInt(captured.amount) - BigInt(reversed) - (this.#returned.get(id) ?? 0n)
        sums.set(captured.currency, (sums.get(captured.currency) ?? 0n) + kept)
      }
    return [...sums].map(([currency, sum]) => ({ currency, amount: sum.toString() }))
  }

  find(id: string) {
    return this.#sessions.get(id)
  }

  async create(wanted: NewSession) {
    const made = this.#sessions.get(this.#byReference.get(wanted.our_reference) ?? '')
    if (made) {
      // Whoever asks again meanwhile waits for the same write.
      await this.#journal.flushed()
      return made.amount === wanted.amount && made.currency === wanted.currency
        ? made
        : { no: 'idempotency_key_reused' }
    }
    const session: Session = {
      ...wanted,
      id: newId('sps'),
      status: 'requires_action',
      captured: null,
      disputed: false,
      reversed: '0',
      failure: null,
      challenge: null,
      created_at: this.#now(),
      settles_at: null,
    }
    await this.#write({ session })
    return session
  }

  async change(session: Session, changes: Partial<Session>) {
    const next = { ...session, ...changes }
    const isNoticed =
      next.status !== session.status ||
      next.captured?.amount !== session.captured?.amount ||
      next.disputed !== session.disputed ||
      next.reversed !== session.reversed
    await this.#write({
      session: next,
      ...(isNoticed ? { event: this.#eventOf(typeOf(session, next), next, null) } : {}),
    })
    return next
  }

  async refund(session: Session, wanted: NewRefund) {
    const made = this.#refunds.get(wanted.our_reference)
    if (made) {
      await this.#journal.flushed()
      return made.session === session.id &&
        made.amount === wanted.amount &&
        made.currency === wanted.currency
        ? made
        : { no: 'idempotency_key_reused' }
    }
    const back = BigInt(session.reversed) + (this.#returned.get(session.id) ?? 0n)
    if (
      session.captured?.currency !== wanted.currency ||
      BigInt(wanted.amount) <= 0n ||
      back + BigInt(wanted.amount) > BigInt(session.captured.amount)
    )
      return { no: 'more_than_captured' }
    const refund: Refund = {
      ...wanted,
      id: newId('spr'),
      session: session.id,
      failure: wanted.status === 'failed' ? 'refused_by_bank' : null,
      created_at: this.#now(),
    }
    await this.#write({ refund, event: this.#eventOf(`refund.${refund.status}`, session, refund) })
    return refund
  }

  findRefund(ourReference: string) {
    return this.#refunds.get(ourReference)
  }

  async failRefund(session: Session) {
    const last = [...this.#refunds.values()].findLast(
      (refund) => refund.session === session.id && refund.status !== 'failed',
    )
    if (!last) return { no: 'not_refunded' }
    const refund: Refund = { ...last, status: 'failed', failure: 'sent_back_by_bank' }
    await this.#write({ refund, event: this.#eventOf('refund.failed', session, refund) })
    return refund
  }

  list({ since, until, after, limit }: Span) {
    const found = [...this.#sessions.values()].filter(
      (session) => session.created_at >= since && session.created_at < until,
    )
    const start = after === '' ? 0 : found.findIndex(({ id }) => id === after) + 1
    return found.slice(start, start + limit)
  }

  due(at: number) {
    return [...this.#settling]
      .flatMap((id) => this.#sessions.get(id) ?? [])
      .filter((session) => session.settles_at !== null && session.settles_at <= at)
  }

  closeEvent(id: string) {
    // Should it be lost, the shop is told again of what it knows.
    if (this.#waiting.delete(id)) this.#journal.note({ told: [id] })
  }

  stop() {
    return this.#journal.close()
  }

  /** The caller's answer waits for the disk; who reads meanwhile sees the change already, as the next write waits too. */
  async #write(line: Line): Promise<void> {
    this.#keep(line)
    await this.#journal.append(line)
    if (line.event) this.#tell(line.event)
  }

  #keep({ session, refund, event, told }: Line): void {
    if (session) {
      this.#sessions.set(session.id, session)
      this.#byReference.set(session.our_reference, session.id)
      if (session.settles_at === null) this.#settling.delete(session.id)
      else this.#settling.add(session.id)
    }
    if (refund) {
      const before = countedOf(this.#refunds.get(refund.our_reference))
      const returned = this.#returned.get(refund.session) ?? 0n
      this.#refunds.set(refund.our_reference, refund)
      this.#returned.set(refund.session, returned + countedOf(refund) - before)
    }
    if (event) this.#waiting.set(event.id, event)
    for (const id of told ?? []) this.#waiting.delete(id)
  }

  #eventOf(type: string, session: Session, refund: Refund | null): Notice {
    const id = newId('evt')
    return {
      id,
      body: JSON.stringify({
        id,
        type,
        session: session.id,
        our_reference: session.our_reference,
        status: session.status,
        captured: session.captured,
        refund: refund?.our_reference ?? null,
        created_at: this.#now(),
      }),
    }
  }
}

const countedOf = (refund: Refund | undefined) =>
  refund === undefined || refund.status === 'failed' ? 0n : BigInt(refund.amount)

function typeOf(before: Session, after: Session): string {
  if (after.reversed !== before.reversed)
    return after.reversed === '0' ? 'session.given_back' : 'session.reversed'
  if (after.disputed !== before.disputed)
    return after.disputed ? 'session.disputed' : 'session.dispute_over'
  return `session.${after.status}`
}

function forgetOld(
  sessions: Map<string, Session>,
  byReference: Map<string, string>,
  refunds: Map<string, Refund>,
  before: number,
): void {
  for (const session of sessions.values()) {
    if (session.created_at >= before) continue
    sessions.delete(session.id)
    byReference.delete(session.our_reference)
  }
  for (const refund of refunds.values())
    if (!sessions.has(refund.session)) refunds.delete(refund.our_reference)
}
