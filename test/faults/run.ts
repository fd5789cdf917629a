import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runEndpoints } from './endpoints.ts'
import { runLate, runRace } from './flash.ts'
import { openJournal } from './journal.ts'
import { runKills } from './kills.ts'
import { runNotices } from './notices.ts'
import { startShop, type FaultShop } from './shop.ts'
import { runSilent } from './silent.ts'
import { stockedItems } from './stocked.ts'

/**
 * Runs the faults that buying must survive and ends with 1 when it did not. `--long` is for a night; `--seed` repeats a run,
 * `--only race,late,silent,notices,endpoints,kills` takes some of them, `--kills` is how many, `--abandoned` how many payments are left
 * at a provider that says nothing,
 * `--rate` how many of them it may be asked about in a second.
 */
const { values: options } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string' },
    kills: { type: 'string' },
    abandoned: { type: 'string' },
    rate: { type: 'string' },
  },
})
const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 31))
const sizes = options.long
  ? {
      race: { orders: 10_000, keys: 500 },
      late: { orders: 10_000, keys: 500 },
      notices: { purchases: 2_000, unnoticed: 200 },
      silent: { abandoned: 100_000, perSecond: 50, silentSeconds: 300 },
      rounds: 200,
      kills: 1_000,
    }
  : {
      race: { orders: 10_000, keys: 500 },
      late: { orders: 500, keys: 25 },
      notices: { purchases: 150, unnoticed: 24 },
      silent: { abandoned: 600, perSecond: 100, silentSeconds: 12 },
      rounds: 5,
      kills: 50,
    }
const wanted = options.only?.split(',')
const faults: string[] = []

say(`seed ${seed}${options.long ? ', long' : ''}`)
if (isWanted('race')) tell('race', await runRace({ seed, ...sizes.race }))
if (isWanted('late')) tell('late', await runLate({ seed, ...sizes.late }))
if (isWanted('silent'))
  tell(
    'silent',
    await runSilent({
      ...sizes.silent,
      abandoned: Number(options.abandoned ?? sizes.silent.abandoned),
      perSecond: Number(options.rate ?? sizes.silent.perSecond),
      say,
    }),
  )
if (['notices', 'endpoints', 'kills'].some(isWanted)) await withWholeShop()
say(faults.length === 0 ? 'Nothing was broken.' : `${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1

async function withWholeShop(): Promise<void> {
  const shop = await startShop()
  try {
    await tryWholeShop(shop)
  } finally {
    await shop.stop()
  }
}

async function tryWholeShop(shop: FaultShop): Promise<void> {
  const journal = openJournal(
    join(mkdtempSync(join(tmpdir(), 'lukado-journal-')), 'acknowledged.jsonl'),
  )
  const items = await stockedItems(shop)
  if (isWanted('notices'))
    tell('notices', await runNotices({ shop, journal, seed, items, ...sizes.notices }))
  if (isWanted('endpoints'))
    tell('endpoints', await runEndpoints({ shop, seed, items, rounds: sizes.rounds }))
  if (isWanted('kills'))
    tell(
      'kills',
      await runKills({
        shop,
        journal,
        seed,
        items,
        count: Number(options.kills ?? sizes.kills),
        shoppers: 8,
        say,
      }),
    )
}

function isWanted(name: string): boolean {
  return wanted === undefined || wanted.includes(name)
}

function tell(
  name: string,
  { faults: found, ...report }: { readonly faults: readonly string[] },
): void {
  faults.push(...found)
  say(
    `${name}: ${JSON.stringify(report)}${
      found.length === 0
        ? ''
        : `\n${found
            .slice(0, 20)
            .map((fault) => `  ${fault}`)
            .join('\n')}`
    }`,
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
