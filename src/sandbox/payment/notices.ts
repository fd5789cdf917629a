import { createHmac, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { z } from 'zod'
import type { Told } from './book.ts'

const fraction = z.number().min(0).max(1).default(0)

/** What goes wrong on purpose; fractions from 0 to 1. */
export const faultsShape = z.strictObject({
  /** Notices that are never sent. */
  loss: fraction,
  /** Notices that are sent twice. */
  duplication: fraction,
  /** Notices that wait up to two seconds, so that later ones overtake them. */
  reordering: fraction,
  /** Every notice waits this long. */
  delay_ms: z.number().int().min(0).max(60_000).default(0),
  /** Notices beside which another one goes that is not ours: signed wrongly, or an old one with another amount. */
  forgery: fraction,
  /** Requests of the shop that are done and never answered, and such that are not even done. */
  lost_answers: fraction,
  lost_requests: fraction,
  /** Refunds that stay pending, and such that the bank refuses. */
  refund_pending: fraction,
  refund_failure: fraction,
  seed: z.number().int().min(0).max(0xffff_ffff).default(1),
})
export type Faults = z.infer<typeof faultsShape>

const RETRY_SECONDS = [1, 3, 10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400] as const
const ANSWER_MS = 10_000
const AT_ONCE = 24
const OVERTAKEN_MS = 2_000
const OLD_KEPT = 50

/** What has gone out since the start of the process. */
export interface SentNotices {
  readonly sound: number
  readonly lost: number
  readonly doubled: number
  readonly forged: number
  /** Forged ones the shop has taken: there must be none. */
  readonly forged_taken: number
}

export interface Notices {
  readonly send: (event: Told) => void
  readonly setFaults: (faults: Faults) => void
  readonly faults: () => Faults
  readonly sent: () => SentNotices
  /** Whether a fault of this fraction strikes now. */
  readonly strikes: (
    fault: 'lost_answers' | 'lost_requests' | 'refund_pending' | 'refund_failure',
  ) => boolean
  readonly stop: () => void
}

export interface NoticeOptions {
  /** Where notices go. */
  readonly target: string
  readonly secret: string
  readonly onTaken: (eventId: string) => void
  readonly now?: () => number
}

/** `Sandbox-Signature: t=<seconds>,v1=<HMAC-SHA-256 of "t.body" in hex>` */
export function signatureOf(secret: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** Sends notices to the shop, again with growing pauses until it takes them, and spoils as many as the faults say. */
export function createNotices({ target, secret, onTaken, now = Date.now }: NoticeOptions): Notices {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, maxFreeSockets: AT_ONCE })
  const timers = new Set<NodeJS.Timeout>()
  const old: { readonly body: string; readonly signature: string }[] = []
  let faults = faultsShape.parse({})
  let random = seeded(faults.seed)
  let isStopped = false
  const sent = { sound: 0, lost: 0, doubled: 0, forged: 0, forged_taken: 0 }

  const later = (ms: number, work: () => void) => {
    if (isStopped) return
    if (ms <= 0) return work()
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }
  const post = (body: string, signature: string): Promise<number> =>
    new Promise((resolve) => {
      const notice = request(
        target,
        {
          method: 'POST',
          agent,
          timeout: ANSWER_MS,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'sandbox-signature': signature,
          },
        },
        (answer) => {
          answer.resume()
          answer.once('close', () => resolve(answer.statusCode ?? 0))
        },
      )
      notice.once('timeout', () => notice.destroy())
      notice.once('error', () => resolve(0))
      notice.end(body)
    })
  const deliver = async (event: Told, tries: number): Promise<void> => {
    const signature = signatureOf(secret, Math.floor(now() / 1_000), event.body)
    const status = await post(event.body, signature)
    if (status >= 200 && status < 300) {
      if (old.length < OLD_KEPT) old.push({ body: event.body, signature })
      return onTaken(event.id)
    }
    const pause = RETRY_SECONDS[tries]
    if (pause === undefined) onTaken(event.id)
    else later(pause * 1_000, () => void deliver(event, tries + 1))
  }
  const forge = async (event: Told) => {
    const known = old[Math.floor(random() * old.length)]
    const status =
      known && random() < 0.5
        ? await post(
            known.body
              .replace(/"amount":"\d+"/, '"amount":"1"')
              .replace(/"status":"[a-z_]+"/, '"status":"captured"'),
            known.signature,
          )
        : await post(
            event.body.replace(/evt_[\w-]+/, `evt_${randomBytes(8).toString('hex')}`),
            `t=${Math.floor(now() / 1_000)},v1=${randomBytes(32).toString('hex')}`,
          )
    sent.forged += 1
    if (status >= 200 && status < 300) sent.forged_taken += 1
  }
  return {
    send(event) {
      // Drawn in a fixed order, so that the same seed spoils the same notices.
      const [isLost, isTwice, isLate, isForged] = [
        faults.loss,
        faults.duplication,
        faults.reordering,
        faults.forgery,
      ].map((share) => random() < share)
      const pause = faults.delay_ms + (isLate ? random() * OVERTAKEN_MS : 0)
      if (isForged) later(pause, () => void forge(event))
      if (isLost) {
        sent.lost += 1
        return onTaken(event.id)
      }
      sent.sound += 1
      later(pause, () => void deliver(event, 0))
      if (!isTwice) return
      sent.doubled += 1
      later(pause + random() * OVERTAKEN_MS, () => void deliver(event, 0))
    },
    setFaults(wanted) {
      faults = wanted
      random = seeded(wanted.seed)
    },
    faults: () => faults,
    sent: () => ({ ...sent }),
    strikes: (fault) => faults[fault] > 0 && random() < faults[fault],
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      agent.destroy()
    },
  }
}

/** Mulberry32: small, and the same numbers for the same seed everywhere. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
