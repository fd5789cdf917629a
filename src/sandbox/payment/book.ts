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
export type Told = z.infer<typeof eventShape>

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
  readonly refund: (
    session: Session,
    wanted: {
      readonly our_reference: string
      readonly amount: string
      readonly currency: string
      readonly status: Refund['status']
    },
  ) => Promise<Refund | No>
  readonly findRefund: (ourReference: string) => Refund | undefined
  /** The payer's bank sends the last refund of a session that was sent out back. */
  readonly failRefund: (session: Session) => Promise<Refund | No>
  /** Sessions made in [since, until), oldest first, after the one of that id. */
  readonly list: (span: {
    readonly since: number
    readonly until: number
    readonly after: string
    readonly limit: number
  }) => Session[]
  readonly due: (now: number) => Session[]
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
  tell: (event: Told) => void,
  now: () => number = Date.now,
): Book {
  const sessions = new Map<string, Session>()
  const byReference = new Map<string, string>()
  const refunds = new Map<string, Refund>()
  /** Minor units given back, or about to be, by session. */
  const returned = new Map<string, bigint>()
  const waiting = new Map<string, Told>()
  const settling = new Set<string>()

  const keep = ({ session, refund, event, told }: Line) => {
    if (session) {
      sessions.set(session.id, session)
      byReference.set(session.our_reference, session.id)
      if (session.settles_at === null) settling.delete(session.id)
      else settling.add(session.id)
    }
    if (refund) {
      const before = countedOf(refunds.get(refund.our_reference))
      refunds.set(refund.our_reference, refund)
      returned.set(
        refund.session,
        (returned.get(refund.session) ?? 0n) + countedOf(refund) - before,
      )
    }
    if (event) waiting.set(event.id, event)
    for (const id of told ?? []) waiting.delete(id)
  }
  for (const line of journal.read()) keep(lineShape.parse(line))
  forgetOld(sessions, byReference, refunds, now() - KEPT_DAYS * 86_400_000)
  journal.rewrite([
    ...[...sessions.values()].map((session) => ({ session })),
    ...[...refunds.values()].map((refund) => ({ refund })),
    ...[...waiting.values()].map((event) => ({ event })),
  ])
  // After the caller has the book: a notice that is lost on purpose is closed in it at once.
  setImmediate(() => {
    for (const event of waiting.values()) tell(event)
  })

  /** The caller's answer waits for the disk; who reads meanwhile sees the change already, as the next write waits too. */
  const write = async (line: Line) => {
    keep(line)
    await journal.append(line)
    if (line.event) tell(line.event)
  }
  const eventOf = (type: string, session: Session, refund: Refund | null): Told => {
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
        created_at: now(),
      }),
    }
  }

  return {
    find: (id) => sessions.get(id),
    async create(wanted) {
      const made = sessions.get(byReference.get(wanted.our_reference) ?? '')
      if (made) {
        // Whoever asks again meanwhile waits for the same write.
        await journal.flushed()
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
        created_at: now(),
        settles_at: null,
      }
      await write({ session })
      return session
    },
    async change(session, changes) {
      const next = { ...session, ...changes }
      const isTold =
        next.status !== session.status ||
        next.captured?.amount !== session.captured?.amount ||
        next.disputed !== session.disputed ||
        next.reversed !== session.reversed
      await write({
        session: next,
        ...(isTold ? { event: eventOf(typeOf(session, next), next, null) } : {}),
      })
      return next
    },
    async refund(session, wanted) {
      const made = refunds.get(wanted.our_reference)
      if (made) {
        await journal.flushed()
        return made.session === session.id &&
          made.amount === wanted.amount &&
          made.currency === wanted.currency
          ? made
          : { no: 'idempotency_key_reused' }
      }
      const back = BigInt(session.reversed) + (returned.get(session.id) ?? 0n)
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
        created_at: now(),
      }
      await write({ refund, event: eventOf(`refund.${refund.status}`, session, refund) })
      return refund
    },
    findRefund: (ourReference) => refunds.get(ourReference),
    async failRefund(session) {
      const last = [...refunds.values()].findLast(
        (refund) => refund.session === session.id && refund.status !== 'failed',
      )
      if (!last) return { no: 'not_refunded' }
      const refund: Refund = { ...last, status: 'failed', failure: 'sent_back_by_bank' }
      await write({ refund, event: eventOf('refund.failed', session, refund) })
      return refund
    },
    list({ since, until, after, limit }) {
      const found = [...sessions.values()].filter(
        (session) => session.created_at >= since && session.created_at < until,
      )
      const start = after === '' ? 0 : found.findIndex(({ id }) => id === after) + 1
      return found.slice(start, start + limit)
    },
    due: (at) =>
      [...settling]
        .flatMap((id) => sessions.get(id) ?? [])
        .filter((session) => session.settles_at !== null && session.settles_at <= at),
    closeEvent(id) {
      // Should it be lost, the shop is told again of what it knows.
      if (waiting.delete(id)) journal.note({ told: [id] })
    },
    stop: () => journal.close(),
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
