import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './db.ts'
import type { Log } from './log.ts'

export interface Listener {
  readonly close: () => Promise<void>
}

const RETRY_MS = 1_000
/** Between one word and the next on a channel. */
const PAUSE_MS = 10

/**
 * Calls `onNotice` for every notification on a channel, and with '' after each reconnection, since what was sent meanwhile
 * is lost. Resolves once listening; reconnects by itself until closed.
 */
export async function listen(databaseUrl: string, channel: string, onNotice: (payload: string) => void, log: Log): Promise<Listener> {
  let client: pg.Client | null = null
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'lukado listen', keepAlive: true })
    next.on('notification', (notice) => onNotice(notice.payload ?? ''))
    next.on('error', (error) => log.warn('notifications interrupted', { channel, error }))
    next.on('end', () => {
      client = null
      if (!closed) retry()
    })
    await next.connect()
    await next.query(`listen ${channel}`)
    client = next
  }

  function retry(): void {
    timer = setTimeout(() => {
      connect().then(
        () => onNotice(''),
        (error: unknown) => {
          log.warn('notifications unreachable', { channel, error })
          if (!closed) retry()
        },
      )
    }, RETRY_MS)
  }

  await connect()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}

const sending = new WeakMap<Db, Map<string, 'once' | 'again'>>()

/**
 * Notifies those who listen on a channel, soon and outside of any transaction: a commit that notifies waits for every other one
 * that does. Calls while a word is on its way are one more word after it. One that is lost is lost: listeners look now and then.
 */
export function notifySoon({ db, log }: { readonly db: Db; readonly log: Log }, channel: string): void {
  const channels = sending.get(db) ?? new Map<string, 'once' | 'again'>()
  sending.set(db, channels)
  if (channels.has(channel)) {
    channels.set(channel, 'again')
    return
  }
  const send = async (): Promise<void> => {
    channels.set(channel, 'once')
    await sql`select pg_notify(${channel}, '')`.execute(db).catch((error: unknown) => log.warn('a notification was not sent', { channel, error }))
    if (channels.get(channel) === 'again') setTimeout(() => void send(), PAUSE_MS)
    else channels.delete(channel)
  }
  void send()
}
