import type { IncomingMessage, ServerResponse } from 'node:http'
import { readHappened } from '#features/office/live/queries.ts'
import { operatorOfCookie, type SignedIn } from '#features/team/operator/flows.ts'
import { mayDo } from '#features/team/operator/rules.ts'
import type { Ctx } from '#platform/ctx.ts'

export const STREAM_PATH = '/api/console/changes'

/** How often is looked: what changes elsewhere is told within two seconds. */
const LOOK_MS = 1_000
/** What a transaction that took so long brings is still told. */
const OVERLAP_SECONDS = 15
/** A session that has ended, or an operator who was suspended, hears at most so long on. */
const LOOKS_BETWEEN_CHECKS = 5
/** A proxy that closes quiet connections hears something before. */
const LOOKS_BETWEEN_SIGNS = 20
const STREAMS_MOST = 200

export interface StreamOptions {
  readonly ctx: Ctx
  readonly isHttps: boolean
}

interface Stream {
  readonly res: ServerResponse
  readonly cookie: string | undefined
  mayReadOrders: boolean
}

export interface ChangeStream {
  readonly listener: (req: IncomingMessage, res: ServerResponse) => void
  /** Ends every stream. */
  readonly close: () => void
}

/**
 * Tells every open console what has changed, as server-sent events: `{ orders: numbers, other: boolean }`. One look a second at the
 * database serves all streams of the process, and none is made while there are none.
 */
export function createChangeStream({ ctx, isHttps }: StreamOptions): ChangeStream {
  const streams = new Set<Stream>()
  const known = new Map<string, number>()
  let looks = 0
  let timer: NodeJS.Timeout | null = null

  async function open(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { cookie } = req.headers
    const who = await operatorOfCookie(ctx, cookie, isHttps, false)
    if (!who || streams.size >= STREAMS_MOST) {
      res.writeHead(who ? 503 : 401, { 'cache-control': 'no-store', 'retry-after': '30' }).end()
      return
    }
    const stream = { res, cookie, mayReadOrders: mayReadOrders(who) }
    res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    res.write('retry: 3000\n\n')
    streams.add(stream)
    res.once('close', () => streams.delete(stream))
    if (streams.size === 1) begin()
  }

  /** What happened before anybody listened is on their page already. */
  function begin(): void {
    if (timer) return
    void readHappened(ctx.db, OVERLAP_SECONDS)
      .then((before) => before.forEach(({ id }) => known.set(id, looks)))
      .catch(() => {})
      .finally(next)
  }

  function next(): void {
    timer = setTimeout(() => void look().finally(next), LOOK_MS).unref()
    if (streams.size > 0) return
    clearTimeout(timer)
    timer = null
    known.clear()
  }

  async function look(): Promise<void> {
    looks += 1
    try {
      const happened = await readHappened(ctx.db, OVERLAP_SECONDS)
      const fresh = happened.filter(({ id }) => !known.has(id))
      for (const { id } of fresh) known.set(id, looks)
      for (const [id, at] of known) if (looks - at > 2 * OVERLAP_SECONDS) known.delete(id)
      const other = fresh.some(({ order }) => order === null)
      if (other || looks % LOOKS_BETWEEN_CHECKS === 0) await endWhoMayNot()
      if (fresh.length > 0) tell(new Set(fresh.flatMap(({ order }) => order ?? [])), other)
      else if (looks % LOOKS_BETWEEN_SIGNS === 0) for (const { res } of streams) res.write(':\n\n')
    } catch (error) {
      ctx.log.warn('changes not read', { error })
    }
  }

  function tell(orders: ReadonlySet<string>, other: boolean): void {
    for (const { res, mayReadOrders: isToldNumbers } of streams) {
      const data = { orders: isToldNumbers ? [...orders] : [], other: other || orders.size > 0 }
      // Who does not read what is written gets no more of it: the connection is made anew.
      if (res.writableNeedDrain) res.destroy()
      else res.write(`data: ${JSON.stringify(data)}\n\n`)
    }
  }

  async function endWhoMayNot(): Promise<void> {
    for (const stream of streams) {
      const who = await operatorOfCookie(ctx, stream.cookie, isHttps, false)
      if (who) stream.mayReadOrders = mayReadOrders(who)
      else end(stream)
    }
  }

  /** Nothing is written to it any more, from now on. */
  function end(stream: Stream): void {
    streams.delete(stream)
    stream.res.end()
  }

  return {
    listener: (req, res) => {
      open(req, res).catch((error: unknown) => {
        ctx.log.error('stream failed', { error })
        res.destroy()
      })
    },
    close: () => {
      for (const stream of streams) end(stream)
    },
  }
}

const mayReadOrders = (who: SignedIn) => mayDo(who.operator.operator, 'order.read')
