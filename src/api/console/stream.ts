import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listLookers, readHappened, type Happened } from '#features/office/live/queries.ts'
import type { Looker } from '#features/office/live/rules.ts'
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
/** Whoever finds no room comes again after this. */
const PUT_OFF_MS = 30_000
/** Browsers and devices of one operator. */
const STREAMS_EACH = 8

export interface StreamOptions {
  readonly ctx: Ctx
  readonly isHttps: boolean
}

interface Stream {
  readonly res: ServerResponse
  readonly cookie: string | undefined
  readonly operator: string
  mayReadOrders: boolean
}

export interface ChangeStream {
  readonly listener: (req: IncomingMessage, res: ServerResponse) => void
  /** Ends every stream. */
  readonly close: () => void
}

/**
 * Tells every open console what has changed, as server-sent events: `{ orders: numbers, other: boolean }`, and who has which order before
 * them, in `here`, where that has changed. One look a second at the
 * database serves all streams of the process, and none is made while there are none.
 */
export function createChangeStream({ ctx, isHttps }: StreamOptions): ChangeStream {
  const streams = new Set<Stream>()
  const fresh = createFreshReader(ctx)
  const whoOf = (cookie: string | undefined) => operatorOfCookie(ctx, cookie, isHttps, false)
  const lookers = createLookerReader(ctx)
  let looks = 0
  let isLooking = false

  async function open(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { cookie } = req.headers
    const who = await whoOf(cookie)
    // What was before is known from here on: what comes is told.
    if (who) await fresh.begin()
    // Whoever went meanwhile is not waited for, and holds nobody's place.
    if (res.destroyed) return
    if (!who || isFull(streams, who)) return who ? putOff(res) : refuse(res)
    const stream = streamOf(res, cookie, who)
    res.writeHead(200, STREAM_HEADERS).write('retry: 3000\n\n')
    streams.add(stream)
    res.once('close', () => streams.delete(stream))
    if (!isLooking) void lookOn()
  }

  async function lookOn(): Promise<void> {
    isLooking = true
    while (streams.size > 0) {
      await look().catch((error: unknown) => ctx.log.warn('changes not read', { error }))
      await sleep(LOOK_MS, undefined, { ref: false })
    }
    isLooking = false
    fresh.forget()
  }

  async function look(): Promise<void> {
    looks += 1
    const happened = await fresh.read()
    const orders = new Set(happened.flatMap(({ order }) => order ?? []))
    const other = happened.some(({ order }) => order === null)
    if (other || looks % LOOKS_BETWEEN_CHECKS === 0) await endWhoMayNot()
    const here = await lookers()
    if (happened.length > 0 || here) tell(streams, [...orders], other || orders.size > 0, here)
    else if (looks % LOOKS_BETWEEN_SIGNS === 0) for (const { res } of streams) res.write(':\n\n')
  }

  async function endWhoMayNot(): Promise<void> {
    for (const stream of streams) {
      const who = await whoOf(stream.cookie)
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

const streamOf = (res: ServerResponse, cookie: string | undefined, who: SignedIn): Stream => ({
  res,
  cookie,
  operator: who.operator.operator.id,
  mayReadOrders: mayReadOrders(who),
})

function isFull(streams: ReadonlySet<Stream>, { operator: { operator } }: SignedIn): boolean {
  const own = [...streams].filter((stream) => stream.operator === operator.id)
  return streams.size >= STREAMS_MOST || own.length >= STREAMS_EACH
}

function refuse(res: ServerResponse): void {
  res.writeHead(401, { 'cache-control': 'no-store' }).end()
}

/** A stream that ends at once: the browser comes again by itself after a while, and its page looks at the shop each time. */
function putOff(res: ServerResponse): void {
  res.writeHead(200, STREAM_HEADERS).end(`retry: ${PUT_OFF_MS}\n\n`)
}

function tell(
  streams: Iterable<Stream>,
  orders: readonly string[],
  other: boolean,
  here: readonly Looker[] | null,
): void {
  for (const { res, mayReadOrders: isToldNumbers } of streams) {
    const data = {
      orders: isToldNumbers ? orders : [],
      other,
      ...(isToldNumbers && here ? { here } : {}),
    }
    // Who does not read what is written gets no more of it: the connection is made anew.
    if (res.writableNeedDrain) res.destroy()
    else res.write(`data: ${JSON.stringify(data)}\n\n`)
  }
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** Reads who has which order before them; null while nobody comes or goes. */
function createLookerReader(ctx: Ctx): () => Promise<readonly Looker[] | null> {
  let known = ''
  return async () => {
    const here = await listLookers(ctx.db, ctx.now())
    const text = JSON.stringify(here)
    if (text === known) return null
    known = text
    return here
  }
}

/** Reads what has happened since it began, and then since the last time. */
function createFreshReader(ctx: Ctx) {
  const known = new Map<string, number>()
  let reads = 0
  let beginning: Promise<unknown> | null = null

  async function read(): Promise<Happened[]> {
    const happened = await readHappened(ctx.db, OVERLAP_SECONDS)
    const fresh = happened.filter(({ id }) => !known.has(id))
    reads += 1
    for (const { id } of fresh) known.set(id, reads)
    for (const [id, at] of known) if (reads - at > 2 * OVERLAP_SECONDS) known.delete(id)
    return fresh
  }

  function forget(): void {
    known.clear()
    reads = 0
    beginning = null
  }

  return {
    read,
    forget,
    /** What was before is known from now on; once, however many begin to listen. */
    async begin(): Promise<void> {
      beginning ??= read()
      await beginning.catch((error: unknown) => {
        forget()
        throw error
      })
    },
  }
}

const mayReadOrders = (who: SignedIn) => mayDo(who.operator.operator, 'order.read')
