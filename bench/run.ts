import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLogger } from '#platform/log.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { buildColdRender, COLD_TARGETS, measureColdRender } from './cold/run.ts'
import { measureBrowserFiles } from './browser-files.ts'
import { measureBrowser } from './browser/run.ts'
import { deliveryRows, purchaseRows } from './buying/findings.ts'
import { measurePurchases } from './buying/purchases.ts'
import { measureDelivery } from './buying/run.ts'
import { startShop } from './buying/shop-processes.ts'
import {
  checkSearchHits,
  measureCachedList,
  measureCachedSearch,
  measureNewLists,
  measureSearch,
} from './calls.ts'
import { writeDocument } from './document.ts'
import { measureGrowth } from './growth/run.ts'
import { measureCachedPages } from './kept-page.ts'
import { measurePeople } from './people/run.ts'
import { memoryOf } from './process-figures.ts'
import { runNode, startWeb } from './processes.ts'
import { machine, otherWork, table } from './report.ts'
import {
  browserRows,
  callRows,
  coldRows,
  fileRows,
  memoryRows,
  pageRows,
  peopleRows,
  searchRows,
  startRows,
  withNotes,
  type Finding,
} from './findings.ts'
import { readShopFacts } from './shop.ts'
import { measureStarts } from './starts.ts'
import { visitPages } from './warm-up.ts'
import { removeDataFolder } from '../test/support/data-folder.ts'

const { values: options } = parseArgs({
  options: {
    growth: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    factors: { type: 'string', default: '1,10,100' },
    rounds: { type: 'string', default: '5' },
    // Some of: server, render, delivery, purchases; and browser, which needs a Chromium and is measured when it is named alone.
    only: { type: 'string' },
  },
})
const rounds = Number(options.rounds)
const wanted = options.only?.split(',')
const wants = (part: 'server' | 'render' | 'delivery' | 'purchases') =>
  wanted?.includes(part) ?? true
const SECONDS = 2
const log = createLogger({ level: 'warn' })
const folder = mkdtempSync(join(tmpdir(), 'lukado-bench-'))
const dataDirectory = join(folder, 'data')
const began = performance.now()
const circumstances = `${machine()}; ${otherWork()}`

try {
  say(circumstances)
  await runNode([join(PROJECT_ROOT, 'scripts', 'build.ts'), '--if-stale'])
  if (wants('render') || options.growth) await buildColdRender()
  const { findings, growth } = await measureAll()
  const { rows, notes, missedWords } = withNotes(findings)
  const minutes = (performance.now() - began) / 60_000
  say(`\n${table(rows)}\n\n${notes.map((note) => `- ${note}`).join('\n')}`)
  if (missedWords.length > 0)
    say(
      `\nNot found among the first five brands:\n${missedWords.map((word) => `- ${word}`).join('\n')}`,
    )
  if (growth) say(`\n${growth.table}\n\n${growth.notes.map((note) => `- ${note}`).join('\n')}`)
  say(`\n${minutes.toFixed(1)} minutes.`)
  const command = ['npm run bench', ...(options.growth ? ['-- --growth'] : [])].join(' ')
  if (options.write && !wanted)
    writeDocument({
      command,
      circumstances,
      minutes,
      rows,
      notes,
      missedWords,
      ...(growth ? { growth } : {}),
    })
} finally {
  if (options.profile) say(`Profiles are in ${folder}.`)
  else removeDataFolder(folder)
}

async function measureAll() {
  const findings: Finding[] = []
  step('starts')
  findings.push(startRows(await measureStarts(dataDirectory)))
  const postgres = await startEmbeddedPostgres({ dataDirectory, log })
  try {
    if (wants('server')) findings.push(...(await measureServer(postgres.url)))
    if (wanted?.includes('browser')) findings.push(await measureInBrowser(postgres.url))
    if (wants('render')) {
      step('cold render')
      findings.push(
        coldRows(
          await measureColdRender({
            databaseUrl: postgres.url,
            folder,
            targets: COLD_TARGETS,
            rounds: 25,
            profile: options.profile,
          }),
        ),
      )
      findings.push(fileRows(measureBrowserFiles()))
    }
    if (wants('delivery'))
      findings.push(
        deliveryRows(
          await measureDelivery(folder, { seconds: SECONDS, withLists: options.lists, say: step }),
        ),
      )
    const growth = options.growth
      ? await measureGrowth({
          databaseUrl: postgres.url,
          folder,
          factors: options.factors.split(',').map(Number),
          profile: options.profile,
          say: step,
        })
      : undefined
    // Last, since it sells and changes what is in stock.
    if (!wants('purchases')) return { findings, growth }
    step('purchases')
    findings.push(
      purchaseRows(
        await measurePurchases({
          databaseUrl: postgres.url,
          dataDirectory,
          folder,
          profileFolder: options.profile ? folder : null,
          rounds: 3,
          seconds: SECONDS,
        }),
      ),
    )
    return { findings, growth }
  } finally {
    await postgres.stop()
  }
}

/** In a browser of this machine: it takes both cores, so that nothing else is measured beside it. */
async function measureInBrowser(databaseUrl: string): Promise<Finding> {
  step('browser')
  // A whole shop: who draws its pictures is a process of its own, and a page without them is never loaded.
  const shop = await startShop({ databaseUrl, dataDirectory, folder, profileFolder: null })
  try {
    return browserRows(await measureBrowser(`http://127.0.0.1:${shop.port}`, rounds))
  } finally {
    await shop.stop()
  }
}

async function measureServer(databaseUrl: string): Promise<Finding[]> {
  const facts = await readShopFacts(databaseUrl)
  const web = await startWeb(databaseUrl, dataDirectory, {
    profileFolder: options.profile ? folder : null,
  })
  const calls = { web, facts, rounds, seconds: SECONDS }
  try {
    const loaded = memoryOf(web.pid)
    step('pages in every language')
    const pages = await visitPages(web, facts)
    const visited = memoryOf(web.pid)
    step('kept pages')
    const kept = pageRows(await measureCachedPages(web, rounds, SECONDS))
    step('goods/index')
    const lists = callRows(await measureCachedList(calls), await measureNewLists(calls))
    step('search')
    const search = searchRows({
      index: await measureSearch('goods/index', calls),
      classes: await measureSearch('goods/search', calls),
      kept: await measureCachedSearch(calls),
      hits: await checkSearchHits(web, facts),
    })
    step('people')
    const people = peopleRows(await measurePeople({ web, databaseUrl, rounds, seconds: SECONDS }))
    return [
      kept,
      lists,
      search,
      people,
      memoryRows({ loaded, visited, pages, afterLoad: memoryOf(web.pid) }),
    ]
  } finally {
    await web.stop()
  }
}

function step(what: string): void {
  say(`… ${what} (${((performance.now() - began) / 1000).toFixed(0)} s)`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
