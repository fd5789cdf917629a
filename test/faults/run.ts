import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { present } from '#kernel/assert.ts'
import { runClocks } from './clocks.ts'
import { runDisk } from './disk.ts'
import { runEndpoints } from './endpoints.ts'
import { runLate, runRace } from './flash.ts'
import { runFrozen } from './frozen.ts'
import { openJournal } from './journal.ts'
import { runKills } from './kills.ts'
import { runLog } from './log.ts'
import { runNotices } from './notices.ts'
import { legsOf, SCENES, sizesOf, type Scene } from './plan.ts'
import { openProgress } from './progress.ts'
import { newHome, removeHome, startShop } from './shop.ts'
import { runSilent } from './silent.ts'
import type { HomeStage, Stage } from './stage.ts'
import { stockedItems } from './stocked.ts'
import { runSimulated } from './supply/simulated.ts'
import { runSockets } from './supply/sockets.ts'
import { runTorn } from './torn.ts'

/**
 * Runs the faults that buying must survive and ends with 1 when it did not. `--long` is for a night, `--seed` repeats a run, `--resume`
 * names a file in which a run notes what it has done and from which it is taken up, `--only race,kills` takes some scenes. `--kills` is how
 * many, `--rounds` of racing calls how many, `--abandoned` how many payments are left at a provider that says nothing, `--rate` how many of
 * them it may be asked about in a second, `--silence` for how many seconds it says nothing.
 */
const { values: options } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    resume: { type: 'string' },
    only: { type: 'string' },
    kills: { type: 'string' },
    rounds: { type: 'string' },
    abandoned: { type: 'string' },
    rate: { type: 'string' },
    silence: { type: 'string' },
  },
})
const sizes = sizesOf(options.long)
const wanted = sceneNames(options.only)
const progress = openProgress(options.resume, {
  seed: Number(options.seed ?? Math.floor(Math.random() * 2 ** 31)),
  options: JSON.stringify({ ...options, seed: undefined, resume: undefined }),
})
const { seed } = progress

say(`seed ${seed}${options.long ? ', long' : ''}`)
await part('race', () => runRace({ seed, ...sizes.race }))
await part('late', () => runLate({ seed, ...sizes.late }))
await part('silent', () =>
  runSilent({
    ...sizes.silent,
    abandoned: Number(options.abandoned ?? sizes.silent.abandoned),
    perSecond: Number(options.rate ?? sizes.silent.perSecond),
    silentSeconds: Number(options.silence ?? sizes.silent.silentSeconds),
    say,
  }),
)
await supply()
const wholeShop = await withWholeShop().then(
  () => [],
  (error: unknown) => [`the shop: ${error instanceof Error ? error.message : String(error)}`],
)
for (const fault of wholeShop) say(fault)
const faults = [...progress.done.values()].flatMap(({ faults: found }) => found).concat(wholeShop)
const skipped = [...progress.done.values()].filter(({ report }) => 'skipped' in report)
say(
  `${faults.length === 0 ? 'Nothing was broken' : `${faults.length} faults`}: ${progress.done.size} parts, seed ${seed}${
    skipped.length === 0 ? '' : `; skipped: ${skipped.map(({ part: name }) => name).join(', ')}`
  }.`,
)
process.exitCode = faults.length === 0 ? 0 : 1

async function supply(): Promise<void> {
  const { units, leg, kills, cards, sockets } = sizes.supply
  const legs = legsOf({ count: units, leg })
  for (const [at, count] of legs.entries())
    await part(`supply ${at + 1}`, () =>
      runSimulated({ units: count, kills: kills / legs.length, seed: seed + at }),
    )
  await part('supply cards', () => runSimulated({ ...cards, seed, isOfCards: true }))
  if (sockets.units > 0) await part('supply sockets', () => runSockets({ ...sockets, seed }))
}

async function withWholeShop(): Promise<void> {
  const rounds = legsOf({ ...sizes.rounds, count: Number(options.rounds ?? sizes.rounds.count) })
  const kills = legsOf({ ...sizes.kills, count: Number(options.kills ?? sizes.kills.count) })
  const inShop: readonly Part[] = [
    ['notices', (stage) => runNotices({ ...stage, ...sizes.notices })],
    ...rounds.map(
      (count, leg): Part => [
        `endpoints ${leg + 1}`,
        (stage) => runEndpoints({ ...stage, rounds: count, seed: seed + leg }),
      ],
    ),
    ['frozen', (stage) => runFrozen(stage, sizes.frozenSeconds)],
    ...kills.map(
      (count, leg): Part => [
        `kills ${leg + 1}`,
        (stage) => runKills({ ...stage, seed: seed + leg }, count),
      ],
    ),
  ]
  const onItsData: readonly HomePart[] = [
    ['torn', runTorn],
    ['log', (stage) => runLog(stage, options.long)],
    ['clocks', (stage) => runClocks(stage, sizes.clocks)],
    ['disk', (stage) => runDisk(stage, sizes.fullSeconds)],
  ]
  if (![...inShop, ...onItsData].some(([name]) => isDue(name))) return
  const home = newHome()
  try {
    const stage = await playInShop(home, inShop)
    for (const [name, play] of onItsData) await part(name, () => play(stage))
  } finally {
    removeHome(home)
  }
}

type Found = { readonly faults: readonly string[] }
type Part = readonly [name: string, play: (stage: Stage) => Promise<Found>]
type HomePart = readonly [name: string, play: (stage: HomeStage) => Promise<Found>]

async function playInShop(home: string, parts: readonly Part[]): Promise<HomeStage> {
  const shop = await startShop({ home })
  try {
    const stage = {
      home,
      seed,
      say,
      journal: openJournal(
        join(mkdtempSync(join(tmpdir(), 'lukado-journal-')), 'acknowledged.jsonl'),
      ),
      items: await stockedItems(shop, sizes.keysOfEach),
    }
    for (const [name, play] of parts) await part(name, () => play({ ...stage, shop }))
    return stage
  } finally {
    await shop.stop()
  }
}

/** Runs a part that is wanted and not done yet, tells what came of it and notes it. */
async function part(name: string, play: () => Promise<Found>): Promise<void> {
  const known = progress.done.get(name)
  if (known) return say(`${name}: done before, ${JSON.stringify(known.report)}`)
  if (!isDue(name)) return
  const began = performance.now()
  const { faults: found, ...report } = await play().catch(
    (error: unknown): Found => ({
      faults: [error instanceof Error ? error.message : String(error)],
    }),
  )
  const seconds = Math.round((performance.now() - began) / 100) / 10
  progress.note({ part: name, report, faults: found, seconds })
  say(`${name}: ${seconds} s, ${JSON.stringify(report)}`)
  for (const fault of found.slice(0, 20)) say(`  ${fault}`)
}

function isDue(name: string): boolean {
  const scene = present(name.split(' ')[0], 'a scene') as Scene
  return wanted.includes(scene) && !progress.done.has(name)
}

function sceneNames(only: string | undefined): readonly Scene[] {
  if (only === undefined) return SCENES
  return only.split(',').map((name) => {
    const scene = SCENES.find((each) => each === name)
    if (!scene) throw new Error(`there is no scene ${name}; there are ${SCENES.join(', ')}`)
    return scene
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
