import pg from 'pg'
import type { Log } from './log.ts'

export interface Listener {
  readonly close: () => Promise<void>
}

const RETRY_MS = 1_000

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
