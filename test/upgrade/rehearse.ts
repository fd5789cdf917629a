/**
 * Rehearses upgrades: `npm run test:upgrade`, or `npm run test:upgrade -- <commit>` for another release than those named here. A shop of an
 * earlier release with open payments, reserved keys, carts and signed-in people sells while the newest release takes over, and gives back
 * to the earlier one as docs/operating/upgrade.md says, which sells on; once on a server of the shop's own, whose database is migrated
 * while the earlier release sells, and once on the embedded one, which the newest release migrates as it starts. Nobody's money, key,
 * cart or session is lost on the way, and the database finds every promise kept.
 */
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { newClient } from '#platform/client.ts'
import { createCtx } from '#platform/ctx.ts'
import { openDatabase } from '#platform/db.ts'
import { freePort } from '#platform/free-port.ts'
import { createKeys } from '#platform/keys.ts'
import { createLogger } from '#platform/log.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { openJournal, type Journal } from '../faults/journal.ts'
import { completed, decide, insist, type Shopper } from '../faults/shopper.ts'
import { findFaults } from '../faults/verdict.ts'
import { startBuying, type Crowd } from './crowd.ts'
import { addShopper } from './people.ts'
import {
  addressOfDatabase,
  checkOut,
  endShops,
  forget,
  newest,
  ownKeys,
  runCommand,
  runShop,
  type Release,
  type Shop,
  type Site,
} from './releases.ts'
import { readWayBack } from './way-back.ts'
import { removeDataFolder } from '../support/data-folder.ts'

/** Before functions were replaced and roles were narrow; and the first with both. */
const EARLIER = ['7a503f7', 'a304f95']
/** What the release of 7a503f7 does not know has to be taken away before it is there again; others pass over it. */
const NEEDS_STEPS_BACK = '7a503f7'
const BUYERS = 4
const WAITING = 5
const KEYS = '3000'
/** A restart on a busy machine, builds included. */
const PATIENCE_MS = 600_000
const EACH_PHASE = 6
/** For the worker of the release that has just started. */
const WORKED_OFF_MS = 300_000

interface Rehearsal {
  readonly site: Site
  readonly earlier: Release
  readonly journal: Journal
  readonly items: readonly string[]
  readonly crowd: Crowd
}

/** People in the middle of something when the release changes. */
interface InTheMiddle {
  readonly shopper: Shopper
  readonly order: string
  readonly redirectUrl: string
}

// Shoppers of a rehearsal that broke off would go on asking.
process.exit(await main(process.argv.slice(2)))

async function main(asked: readonly string[]): Promise<number> {
  say(`${new Date().toISOString()}, load ${(loadavg()[0] ?? 0).toFixed(0)}`)
  const faults: string[] = []
  for (const commit of asked.length > 0 ? asked : EARLIER)
    faults.push(...(await rehearseFrom(commit)).map((fault) => `from ${commit}: ${fault}`))
  for (const fault of faults) say(`WRONG: ${fault}`)
  say(faults.length === 0 ? 'Upgrades and the ways back hold.' : `${faults.length} wrong.`)
  return faults.length === 0 ? 0 : 1
}

async function rehearseFrom(commit: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-upgrade-'))
  chmodSync(folder, 0o711)
  const tree = join(folder, 'earlier')
  try {
    const earlier = checkOut(commit, tree)
    if (!earlier) {
      say(`Skipped: this copy of the repository has no history back to ${commit}.`)
      return []
    }
    say(`== ${earlier.name}, with ${earlier.packages}`)
    return [
      ...(await onOwnServer(folder, earlier)).map((fault) => `on an own server: ${fault}`),
      ...(await onEmbeddedServer(folder, earlier)).map((fault) => `embedded: ${fault}`),
    ]
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  } finally {
    forget(tree)
    removeDataFolder(folder)
  }
}

/** The database is migrated while the earlier release sells on it. */
async function onOwnServer(folder: string, earlier: Release): Promise<string[]> {
  const log = createLogger({ level: 'error' })
  const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'database'), log })
  try {
    await using client = await connect(server.url)
    await client.query('create database shop')
    const site = {
      dataDirectory: join(folder, 'data'),
      databaseUrl: server.url.replace(/\/lukado$/, '/shop'),
      keys: ownKeys(),
      port: await freePort(),
    }
    return await rehearse(site, earlier, join(folder, 'own.journal'), {
      upgrade: async (old, { crowd }) => {
        const began = performance.now()
        await runCommand(newest, site, 'migrate')
        const took = Math.round(performance.now() - began)
        say(`migrated in ${took} ms while ${earlier.name} sold`)
        say(await crowd.bought(`from ${earlier.name} on the newest schema`))
        await old.stop()
      },
      beforeGoingBack: async (next) => {
        await next.stop()
        await using shop = await connect(site.databaseUrl)
        await shop.query(readWayBack().statement)
      },
    })
  } finally {
    await endShops()
    await server.stop()
  }
}

/** One release is stopped and the other started; shoppers wait meanwhile. */
async function onEmbeddedServer(folder: string, earlier: Release): Promise<string[]> {
  const site = { dataDirectory: join(folder, 'embedded'), port: await freePort() }
  mkdirSync(site.dataDirectory)
  chmodSync(site.dataDirectory, 0o711)
  try {
    return await rehearse(site, earlier, join(folder, 'embedded.journal'), {
      upgrade: (old) => old.stop(),
      beforeGoingBack: async (next) => {
        for (const words of readWayBack().commands) await runCommand(newest, site, ...words)
        await next.stop()
      },
    })
  } finally {
    await endShops()
  }
}

interface Steps {
  /** From the earlier release that sells to none that runs. */
  readonly upgrade: (old: Shop, rehearsal: Rehearsal) => Promise<void>
  /** What the page says to do for the oldest release, and the newest one stopped. */
  readonly beforeGoingBack: (next: Shop) => Promise<void>
}

async function rehearse(
  site: Site,
  earlier: Release,
  journalFile: string,
  { upgrade, beforeGoingBack }: Steps,
): Promise<string[]> {
  const journal = openJournal(journalFile)
  const old = await runShop(earlier, site)
  const items = await stock(site, earlier)
  const { waiting, shoppers } = await addPeople(site, items)
  const crowd = startBuying({ shoppers, journal, items, each: EACH_PHASE, patienceMs: PATIENCE_MS })
  const rehearsal = { site, earlier, journal, items, crowd }
  say(await crowd.bought(`from ${earlier.name} before`))

  await upgrade(old, rehearsal)
  const next = await runShop(newest, site)
  say(await crowd.bought(`from ${newest.name}, its start included`))
  await finish(rehearsal, waiting.slice(0, 2))

  await (earlier.commit === NEEDS_STEPS_BACK ? beforeGoingBack(next) : next.stop())
  const back = await runShop(earlier, site)
  say(await crowd.bought(`from ${earlier.name} again, by the way back`))
  await finish(rehearsal, waiting.slice(2))

  await back.stop()
  const last = await runShop(newest, site)
  say(await crowd.bought(`from ${newest.name} for good`))
  await crowd.end()
  const faults = await verdict(addressOfDatabase(site), journal)
  await last.stop()
  return [...faults, ...crowd.failures]
}

/** Card items of the demo, with keys enough for everything. */
async function stock(site: Site, earlier: Release): Promise<string[]> {
  await using client = await connect(addressOfDatabase(site))
  const { rows } = await client.query<{ code: string }>(
    `select code from item where product = 'steam-us' and status = 'active' order by position limit 2`,
  )
  for (const { code } of rows) await runCommand(earlier, site, 'keys', 'demo', code, KEYS)
  return rows.map(({ code }) => code)
}

async function addPeople(site: Site, items: readonly string[]) {
  await using client = await connect(addressOfDatabase(site))
  const waiting = await leaveInTheMiddle(client, site, items)
  const shoppers: Shopper[] = []
  for (let number = 0; number < BUYERS; number += 1)
    shoppers.push(await addShopper(client, addressOf(site), 1_000 + number))
  return { waiting, shoppers }
}

/** Payments that are open, with keys reserved, and a cart beside each. */
async function leaveInTheMiddle(
  client: pg.Client,
  site: Site,
  items: readonly string[],
): Promise<InTheMiddle[]> {
  const people: InTheMiddle[] = []
  for (let number = 0; number < WAITING; number += 1) {
    const shopper = await addShopper(client, addressOf(site), number)
    const line = { item: items[0], quantity: 1, fields: {} }
    const made = await shopper.post('order/create', { lines: [line] }, `middle-${number}`)
    const order: string = made.data.order
    const started = await shopper.post('pay/start', { order, method: 'card' })
    await shopper.post('cart/add', { item: items[1], quantity: 2, fields: {} })
    people.push({ shopper, order, redirectUrl: started.data.redirect_url })
  }
  return people
}

/** They are still signed in, their cart is still there, and what they pay now is delivered. */
async function finish({ journal }: Rehearsal, people: readonly InTheMiddle[]): Promise<void> {
  for (const { shopper, order, redirectUrl } of people) {
    const cart = await insist(() => shopper.get('cart/index'), PATIENCE_MS)
    const quantity = cart.data?.list?.[0]?.quantity
    if (quantity !== 2) throw new Error(`a cart is not what it was: ${JSON.stringify(cart)}`)
    await decide(redirectUrl, 'approve', PATIENCE_MS)
    journal.note({ kind: 'paid', order })
    await completed(shopper, order, PATIENCE_MS)
    journal.note({ kind: 'completed', order })
  }
  say(`${people.length} payments that were open before are delivered, carts are as they were`)
}

async function verdict(databaseUrl: string, journal: Journal): Promise<string[]> {
  const db = openDatabase({ url: databaseUrl, poolSize: 2, statementTimeoutMs: 120_000 })
  const log = createLogger({ level: 'error' })
  try {
    const ctx = createCtx({ db, keys: createKeys(Buffer.alloc(32)), log, actor: 'test' })
    // What waited while no worker ran is worked off first; what is lost or twice stays.
    const deadline = performance.now() + WORKED_OFF_MS
    for (;;) {
      const faults = await findFaults(ctx, journal)
      if (faults.length === 0 || performance.now() > deadline) return faults
      await sleep(2_000)
    }
  } finally {
    await db.destroy()
  }
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = newClient({ connectionString: url })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

function addressOf({ port }: Site): string {
  return `http://127.0.0.1:${port}`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
