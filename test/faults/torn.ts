import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openCrowd, type Outcomes } from './crowd.ts'
import { startShop } from './shop.ts'
import type { HomeStage } from './stage.ts'
import { findFaultsOnceSettled } from './money.ts'

export interface TornReport {
  readonly torn: readonly string[]
  readonly outcomes: Outcomes
  readonly faults: readonly string[]
}

const SHOPPERS = 4
const SERVED_MS = 120_000
const HALF_A_LINE = '{"session":{"id":"cs_torn","our_ref'

/** The machine has died in the middle of writing the shop's own files: the shop starts, has forgotten nothing, and sells. */
export async function runTorn({ home, journal, seed, items }: HomeStage): Promise<TornReport> {
  const torn = tear(home)
  const faults: string[] = []
  const shop = await startShop({ home })
  try {
    const crowd = await openCrowd({
      shop,
      journal,
      seed,
      items,
      shoppers: SHOPPERS,
      patienceMs: SERVED_MS,
    })
    if (!(await crowd.isServed(SERVED_MS))) faults.push('nothing is sold')
    faults.push(...(await crowd.stop()))
    for (const path of ['/sandbox/payment/faults', '/sandbox/mail.json', SIGN_IN]) {
      const { status } = await fetch(`${shop.address}${path}`)
      if (status !== 200) faults.push(`${path} answers ${status}`)
    }
    const people = await fetch(`${shop.address}/healthz`)
    if (people.status !== 200) faults.push('it does not live')
    try {
      JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8'))
    } catch {
      faults.push('the people of the demo are not written anew')
    }
    const outcomes = crowd.outcomes()
    faults.push(...(await findFaultsOnceSettled(shop, journal)))
    return { torn, outcomes, faults }
  } finally {
    await shop.stop()
  }
}

const SIGN_IN = '/sandbox/identity/.well-known/openid-configuration'

/** Leaves every file of ours as a crash may leave it. @returns which */
function tear(home: string): string[] {
  const at = (path: string) => join(home, path)
  appendFileSync(at('sandbox/payment/journal.ndjson'), HALF_A_LINE)
  writeFileSync(at('sandbox/payment/journal.ndjson.new'), HALF_A_LINE)
  halve(at('demo.json'))
  halve(at('sandbox/identity/keys.json'))
  const mails = at('sandbox/mail')
  const [mail] = existsSync(mails) ? readdirSync(mails) : []
  if (mail) halve(join(mails, mail))
  for (const picture of picturesIn(at('cache/pictures')).slice(0, 3)) halve(picture)
  mkdirSync(at('cache/pictures/tmp'), { recursive: true })
  writeFileSync(at('cache/pictures/tmp/1-1'), 'LKP1 and no mo')
  // What a killed program leaves, and what it had not come to the end of.
  writeFileSync(at('run/web.pid'), '1')
  writeFileSync(at('run/worker.pid'), '')
  writeFileSync(at('run/postgres.pid'), '\0\0\0\0')
  writeFileSync(at('run/start-all.pid'), '12')
  for (const key of ['secret.key', 'vault.key']) writeFileSync(at(`${key}.99`), 'half a k')
  writeFileSync(at('postgres/postmaster.pid'), '')
  return [
    'journal of payments',
    'people of the demo',
    'keys of signing in',
    ...(mail ? ['a mail'] : []),
    'pictures',
    'process ids',
    'drafts of keys',
    'process id of the database',
  ]
}

function halve(file: string): void {
  if (existsSync(file)) truncateSync(file, Math.floor(statSync(file).size / 2))
}

function picturesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
