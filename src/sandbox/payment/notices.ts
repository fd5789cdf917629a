import { createHmac, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { z } from 'zod'
import type { Notice } from './book.ts'

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

type SpoiledAnswer = 'lost_answers' | 'lost_requests' | 'refund_pending' | 'refund_failure'

export interface Notices {
  readonly send: (event: Notice) => void
  readonly setFaults: (faults: Faults) => void
  readonly faults: () => Faults
  readonly sent: () => SentNotices
  /** Whether a fault of this fraction strikes now. */
  readonly strikes: (fault: SpoiledAnswer) => boolean
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
export function createNotices(options: NoticeOptions): Notices {
  return new NoticeSender(options)
}

class NoticeSender implements Notices {
  readonly #options: NoticeOptions
  readonly #now: () => number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, maxFreeSockets: AT_ONCE })
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #old: { readonly body: string; readonly signature: string }[] = []
  readonly #sent = { sound: 0, lost: 0, doubled: 0, forged: 0, forged_taken: 0 }
  #faults = faultsShape.parse({})
  #random = seeded(this.#faults.seed)
  #isStopped = false

  constructor(options: NoticeOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  send(event: Notice): void {
    const { loss, duplication, reordering, forgery, delay_ms } = this.#faults
    // Drawn in a fixed order, so that the same seed spoils the same notices.
    const [isLost, isTwice, isLate, isForged] = [loss, duplication, reordering, forgery].map(
      (share) => this.#random() < share,
    )
    const pause = delay_ms + (isLate ? this.#random() * OVERTAKEN_MS : 0)
    if (isForged) this.#later(pause, () => void this.#forge(event))
    if (isLost) {
      this.#sent.lost += 1
      return this.#options.onTaken(event.id)
    }
    this.#sent.sound += 1
    this.#later(pause, () => void this.#deliver(event, 0))
    if (!isTwice) return
    this.#sent.doubled += 1
    this.#later(pause + this.#random() * OVERTAKEN_MS, () => void this.#deliver(event, 0))
  }

  setFaults(wanted: Faults): void {
    this.#faults = wanted
    this.#random = seeded(wanted.seed)
  }

  faults(): Faults {
    return this.#faults
  }

  sent(): SentNotices {
    return { ...this.#sent }
  }

  strikes(fault: SpoiledAnswer): boolean {
    return this.#faults[fault] > 0 && this.#random() < this.#faults[fault]
  }

  stop(): void {
    this.#isStopped = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#agent.destroy()
  }

  #later(ms: number, work: () => void): void {
    if (this.#isStopped) return
    if (ms <= 0) return work()
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, ms)
    this.#timers.add(timer)
  }

  async #deliver(event: Notice, tries: number): Promise<void> {
    const signature = signatureOf(this.#options.secret, Math.floor(this.#now() / 1_000), event.body)
    const status = await this.#post(event.body, signature)
    if (status >= 200 && status < 300) {
      if (this.#old.length < OLD_KEPT) this.#old.push({ body: event.body, signature })
      return this.#options.onTaken(event.id)
    }
    const pause = RETRY_SECONDS[tries]
    if (pause === undefined) this.#options.onTaken(event.id)
    else this.#later(pause * 1_000, () => void this.#deliver(event, tries + 1))
  }

  /** An old notice with another amount and its old signature, or a new one with none that holds. */
  async #forge(event: Notice): Promise<void> {
    const known = this.#old[Math.floor(this.#random() * this.#old.length)]
    const status =
      known && this.#random() < 0.5
        ? await this.#post(
            known.body
              .replace(/"amount":"\d+"/, '"amount":"1"')
              .replace(/"status":"[a-z_]+"/, '"status":"captured"'),
            known.signature,
          )
        : await this.#post(
            event.body.replace(/evt_[\w-]+/, `evt_${randomBytes(8).toString('hex')}`),
            `t=${Math.floor(this.#now() / 1_000)},v1=${randomBytes(32).toString('hex')}`,
          )
    this.#sent.forged += 1
    if (status >= 200 && status < 300) this.#sent.forged_taken += 1
  }

  /** @returns the status of the answer, 0 without one */
  #post(body: string, signature: string): Promise<number> {
    return new Promise((resolve) => {
      const notice = request(
        this.#options.target,
        {
          method: 'POST',
          agent: this.#agent,
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
