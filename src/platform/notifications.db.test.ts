import { connect as openSocket, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'
import { createLogger } from './log.ts'
import { listen } from './notifications.ts'

const database = useDatabase()
const log = createLogger({ level: 'error', write: () => {} })
const RETRY_MS = 20

/** A way to the database that can be broken. */
async function openWay() {
  const { hostname, port, pathname, username, password } = new URL(database.url)
  const sockets = new Set<Socket>()
  let [isBroken, opened] = [false, 0]
  const server = createServer((socket) => {
    opened += 1
    sockets.add(socket.on('error', () => {}))
    if (isBroken) return void socket.destroy()
    const onward = openSocket({ host: hostname, port: Number(port) })
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket
      .on('close', () => onward.destroy())
      .pipe(onward)
      .pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    opened: () => opened,
    breakOff: () => {
      isBroken = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isBroken = false
    },
  }
}

test('while the database is away, one connection after the other is tried, and one listens afterwards', async () => {
  const way = await openWay()
  const heard: string[] = []
  const listener = await listen(
    way.url,
    'catalogue_changed',
    (payload) => heard.push(payload),
    log,
    RETRY_MS,
  )
  way.breakOff()
  await vi.waitFor(() => expect(way.opened()).toBeGreaterThanOrEqual(8), { timeout: 60_000 })
  const [tried, began] = [way.opened(), performance.now()]
  await vi.waitFor(() => expect(way.opened()).toBeGreaterThanOrEqual(16), { timeout: 60_000 })
  expect((way.opened() - tried) * RETRY_MS).toBeLessThanOrEqual(
    performance.now() - began + 2 * RETRY_MS,
  )
  way.mend()
  await vi.waitFor(() => expect(heard).toEqual(['']), { timeout: 60_000 })
  await sql`select pg_notify('catalogue_changed', 'item')`.execute(database.ctx.db)
  await vi.waitFor(() => expect(heard).toEqual(['', 'item']), { timeout: 60_000 })
  await listener.close()
  // The server takes its time to see that a connection has gone.
  await vi.waitFor(
    async () => {
      const { rows } =
        await sql`select 1 from pg_stat_activity where application_name = 'lukado listen' and datname = current_database()`.execute(
          database.ctx.db,
        )
      expect(rows).toEqual([])
    },
    { timeout: 60_000 },
  )
})

test('one that is closed while the database is away tries no more', async () => {
  const way = await openWay()
  const listener = await listen(way.url, 'catalogue_changed', () => {}, log, RETRY_MS)
  way.breakOff()
  await vi.waitFor(() => expect(way.opened()).toBeGreaterThanOrEqual(3), { timeout: 60_000 })
  await listener.close()
  const opened = way.opened()
  await new Promise((resolve) => setTimeout(resolve, 5 * RETRY_MS))
  expect(way.opened()).toBe(opened)
})
