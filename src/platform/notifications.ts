import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { newClient } from './client.ts'
import type { Db } from './db.ts'
import type { Log } from './log.ts'

export interface Listener {
  readonly close: () => Promise<void>
}

const RETRY_MS = 1_000
/** Between one word and the next on a channel. */
const PAUSE_MS = 10

/** A connection that listens. `ended` settles once it is gone, whichever side ended it. */
interface Ear {
  readonly client: pg.Client
  readonly ended: Promise<void>
}

/**
 * Calls `onNotice` for every notification on a channel, and with '' after each reconnection, since what was sent meanwhile
 * is lost. Resolves once listening; reconnects by itself until closed, by one connection at a time however long the database is away.
 */
export async function listen(
  databaseUrl: string,
  channel: string,
  onNotice: (payload: string) => void,
  log: Log,
  retryMs = RETRY_MS,
): Promise<Listener> {
  const closing = new AbortController()
  let ear = await connect()
  const watching = watch()

  async function connect(): Promise<Ear> {
    const client = newClient({
      connectionString: databaseUrl,
      application_name: 'lukado listen',
      keepAlive: true,
    })
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    client.on('notification', (notice) => onNotice(notice.payload ?? ''))
    client.on('error', (error) => log.warn('notifications interrupted', { channel, error }))
    client.once('end', resolve)
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      return { client, ended }
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      await ear.ended
      const next = await connectAgain()
      if (!next) return
      ear = next
      onNotice('')
    }
  }

  /** @returns null once closed */
  async function connectAgain(): Promise<Ear | null> {
    for (;;) {
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return null
      try {
        const next = await connect()
        if (!closing.signal.aborted) return next
        await next.client.end()
      } catch (error) {
        log.warn('notifications unreachable', { channel, error })
      }
    }
  }

  return {
    close: async () => {
      closing.abort()
      await ear.client.end()
      await watching
    },
  }
}

const sending = new WeakMap<Db, Map<string, 'once' | 'again'>>()

/**
 * Notifies those who listen on a channel, soon and outside of any transaction: a commit that notifies waits for every other one
 * that does. Calls while a word is on its way are one more word after it. One that is lost is lost: listeners look now and then.
 */
export function notifySoon(
  { db, log }: { readonly db: Db; readonly log: Log },
  channel: string,
): void {
  const channels = sending.get(db) ?? new Map<string, 'once' | 'again'>()
  sending.set(db, channels)
  if (channels.has(channel)) {
    channels.set(channel, 'again')
    return
  }
  const send = async (): Promise<void> => {
    channels.set(channel, 'once')
    await sql`select pg_notify(${channel}, '')`
      .execute(db)
      .catch((error: unknown) => log.warn('a notification was not sent', { channel, error }))
    if (channels.get(channel) === 'again') setTimeout(() => void send(), PAUSE_MS)
    else channels.delete(channel)
  }
  void send()
}
