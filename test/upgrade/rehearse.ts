/**
 * Rehearses an upgrade: `npm run test:upgrade`. A shop of an earlier release with open payments, reserved keys, carts and signed-in
 * people sells while the newest release migrates its database, takes over, and gives back to the earlier one, which sells on.
 * Nobody's money, key, cart or session is lost on the way, and the database finds every promise kept.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
import { act } from '../faults/acts.ts'
import { completed, decide, insist, type Shopper } from '../faults/shopper.ts'
import { findFaults } from '../faults/verdict.ts'
import { addShopper } from './people.ts'
import { checkOut, forget, newest, runCommand, runShop, type Site } from './releases.ts'

/** Before functions were replaced and roles were narrow. */
const EARLIER = '7a503f7'
/** That release refuses settings of a shop that it does not know (docs/operating/upgrade.md, "The way back"). */
const BEFORE_GOING_BACK = `update setting set value = value - '{support_email,support_hours,security_contact}'::text[] where key = 'shop'`
const BUYERS = 4
const WAITING = 5
const KEYS = '3000'
/** A restart on a busy machine, builds included. */
const PATIENCE_MS = 600_000
const EACH_PHASE = 6

interface Rehearsal {
  readonly site: Site
  readonly client: pg.Client
  readonly journal: Journal
  readonly items: readonly string[]
}

/** People in the middle of something when the release changes. */
interface InTheMiddle {
  readonly shopper: Shopper
  readonly order: string
  readonly redirectUrl: string
}

process.exitCode = await main()

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-upgrade-'))
  chmodSync(folder, 0o711)
  const tree = join(folder, 'earlier')
  const earlier = checkOut(EARLIER, tree)
  if (!earlier) {
    say(`Skipped: this copy of the repository has no history back to ${EARLIER}.`)
    return 0
  }
  const log = createLogger({ level: 'error' })
  const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'database'), log })
  const client = newClient({ connectionString: server.url })
  await client.connect()
  try {
    await client.query('create database shop')
    const databaseUrl = server.url.replace(/\/lukado$/, '/shop')
    const site = { dataDirectory: join(folder, 'data'), databaseUrl, port: await freePort() }
    const faults = await rehearse(site, earlier, openJournal(join(folder, 'journal')))
    for (const fault of faults) say(`WRONG: ${fault}`)
    say(faults.length === 0 ? 'The upgrade and the way back hold.' : `${faults.length} wrong.`)
    return faults.length === 0 ? 0 : 1
  } finally {
    await client.end()
    await server.stop()
    forget(tree)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function rehearse(
  site: Site,
  earlier: Exclude<ReturnType<typeof checkOut>, null>,
  journal: Journal,
): Promise<string[]> {
  const old = await runShop(earlier, site)
  say(`${earlier.name} sells`)
  await using client = await connect(site.databaseUrl)
  const items = await stock(client, (...args) => runCommand(earlier, site, ...args))
  const rehearsal = { site, client, journal, items }
  const waiting = await leaveInTheMiddle(rehearsal)
  const crowd = startBuying(rehearsal)

  await crowd.bought('before')
  const began = performance.now()
  await runCommand(newest, site, 'migrate')
  say(`migrated in ${Math.round(performance.now() - began)} ms while ${earlier.name} sold`)
  await crowd.bought(`${earlier.name} on the newest schema`)

  await old.stop()
  const next = await runShop(newest, site)
  await crowd.bought(newest.name)
  await finish(rehearsal, waiting.slice(0, 2))

  await next.stop()
  await rehearsal.client.query(BEFORE_GOING_BACK)
  const back = await runShop(earlier, site)
  await crowd.bought(`${earlier.name} again, by the way back`)
  await finish(rehearsal, waiting.slice(2))
  await crowd.end()
  await back.stop()

  await runCommand(newest, site, 'migrate')
  return [...(await verdict(site, journal)), ...crowd.failures]
}

/** Card items of the demo, with keys enough for everything. */
async function stock(
  client: pg.Client,
  cli: (...args: string[]) => Promise<void>,
): Promise<string[]> {
  const { rows } = await client.query<{ code: string }>(
    `select code from item where product = 'steam-us' and status = 'active' order by position limit 2`,
  )
  for (const { code } of rows) await cli('keys', 'demo', code, KEYS)
  return rows.map(({ code }) => code)
}

/** Payments that are open, with keys reserved, and a cart beside each. */
async function leaveInTheMiddle({ site, client, items }: Rehearsal): Promise<InTheMiddle[]> {
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

/** Shoppers who buy one thing after the other, whatever runs behind the address. */
function startBuying({ site, journal, items }: Rehearsal) {
  const failures: string[] = []
  let isOver = false
  let done = 0
  const buyers = Array.from({ length: BUYERS }, async (_, index) => {
    await using own = await connect(site.databaseUrl)
    const shopper = await addShopper(own, addressOf(site), 1_000 + index)
    while (!isOver) {
      const item = items[done % items.length] ?? ''
      const wanted = {
        journal,
        item,
        quantity: 1,
        patienceMs: PATIENCE_MS,
      }
      const outcome = await act(shopper, 'approve', wanted).catch((error: unknown) => String(error))
      if (outcome === 'delivered') done += 1
      else {
        failures.push(outcome)
        say(`a purchase failed: ${outcome}`)
        await sleep(200)
      }
    }
  })
  return {
    failures,
    bought: async (when: string) => {
      const before = done
      const deadline = performance.now() + PATIENCE_MS
      while (done < before + EACH_PHASE * BUYERS) {
        if (performance.now() > deadline || failures.length > 8)
          throw new Error(`nobody can buy (${when}): ${failures.slice(0, 5).join('; ')}`)
        await sleep(50)
      }
      say(`${done - before} purchases: ${when}`)
    },
    end: async () => {
      isOver = true
      await Promise.all(buyers)
    },
  }
}

async function verdict({ databaseUrl }: Site, journal: Journal): Promise<string[]> {
  const db = openDatabase({ url: databaseUrl, poolSize: 2, statementTimeoutMs: 120_000 })
  const log = createLogger({ level: 'error' })
  try {
    return await findFaults(
      createCtx({ db, keys: createKeys(Buffer.alloc(32)), log, actor: 'test' }),
      journal,
    )
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
