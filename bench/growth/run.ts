import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureNewLists, measureSearch } from '../calls.ts'
import { COLD_TARGETS, measureColdRender } from '../cold/run.ts'
import type { ColdFigures } from '../cold/task.ts'
import { megabytes, ratioText } from '../findings.ts'
import { applyLoad, getRequest } from '../load/client.ts'
import type { ContestResult } from '../load/rounds.ts'
import { memoryOf, type MemoryFigures } from '../process-figures.ts'
import { startWeb } from '../processes.ts'
import { grid, milliseconds, percent } from '../report.ts'
import { readShopFacts, type ShopFacts } from '../shop.ts'
import { dropDatabase, multiplyCatalogue } from './multiply.ts'

export interface GrowthOptions {
  readonly databaseUrl: string
  readonly folder: string
  readonly factors: readonly number[]
  readonly profile: boolean
  readonly say: (what: string) => void
}

interface Size {
  readonly factor: number
  readonly facts: ShopFacts
  readonly startMs: number
  readonly cold: ColdFigures
  readonly list: ContestResult
  readonly search: ContestResult
  readonly classes: ContestResult
  readonly memory: { readonly loaded: MemoryFigures; readonly after: MemoryFigures }
  readonly change: ChangeFigures
}

const ROUNDS = 3
const SECONDS = 3
const SEARCH_LIMIT_MS = 50

/** The same figures at several sizes of the catalogue, each in a scratch database of its own. */
export async function measureGrowth(
  options: GrowthOptions,
): Promise<{ table: string; notes: string[] }> {
  const sizes: Size[] = []
  for (const factor of options.factors) {
    options.say(`${factor} times the catalogue`)
    const name = `bench_${factor}`
    const url = await multiplyCatalogue(options.databaseUrl, name, factor)
    try {
      sizes.push(await measureSize(url, factor, options))
    } finally {
      await dropDatabase(options.databaseUrl, name)
    }
  }
  return { table: growthTable(sizes), notes: growthNotes(sizes) }
}

async function measureSize(
  url: string,
  factor: number,
  { folder, profile, say }: GrowthOptions,
): Promise<Size> {
  const facts = await readShopFacts(url)
  say(`  ${facts.items} items: cold render`)
  const cold = await measureColdRender({
    databaseUrl: url,
    folder,
    targets: COLD_TARGETS,
    rounds: 9,
    profile,
  })
  say('  load')
  const web = await startWeb(url, folder, { profileFolder: profile ? folder : null })
  try {
    const calls = { web, facts, rounds: ROUNDS, seconds: SECONDS }
    const loaded = memoryOf(web.pid)
    const list = await measureNewLists(calls)
    const search = await measureSearch('goods/index', calls)
    const classes = await measureSearch('goods/search', calls)
    say('  a change of a price')
    const change = await measureChange(url, web.port)
    return {
      factor,
      facts,
      startMs: web.startMs,
      cold,
      list,
      search,
      classes,
      memory: { loaded, after: memoryOf(web.pid) },
      change,
    }
  } finally {
    await web.stop()
  }
}

interface ChangeFigures {
  /** From the commit until the call answers the new price, milliseconds. */
  readonly seenMs: number
  /** The longest that a request waited meanwhile. */
  readonly longestMs: number
}

const CHANGE_TIMEOUT_MS = 120_000

/** Changes one price and asks on, one request after another, until the shop shows it. */
async function measureChange(url: string, port: number): Promise<ChangeFigures> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ code: string; product: string }>(
      `select item.code, item.product from item join product on product.code = item.product join brand on brand.code = product.brand
       where brand.type = 2 and item.market_minor is null order by item.code limit 1`,
    )
    const item = rows[0]
    if (!item) throw new Error('No item to change')
    const target = `/api/goods/detail?code=${item.product}&lang=en&currency_code=USD`
    const bodyOf = async () => (await fetch(`http://127.0.0.1:${port}${target}`)).text()
    const before = await bodyOf()
    await client.query('update item set price_minor = price_minor * 3 where code = $1', [item.code])
    const began = performance.now()
    let longestMs = 0
    while (performance.now() - began < CHANGE_TIMEOUT_MS) {
      const { max } = await applyLoad({
        port,
        requests: [getRequest(target, 'identity')],
        connections: 1,
        seconds: 0.02,
      })
      longestMs = Math.max(longestMs, max)
      if ((await bodyOf()) !== before) return { seenMs: performance.now() - began, longestMs }
      await sleep(5)
    }
    throw new Error('The changed price was never shown')
  } finally {
    await client.end()
  }
}

function growthTable(sizes: readonly Size[]): string {
  const line = (what: string, figure: (size: Size) => string) => [what, ...sizes.map(figure)]
  return grid(
    ['', ...sizes.map(({ factor }) => `${factor}×`)],
    [
      line('items', ({ facts }) => facts.items.toLocaleString('en')),
      line('products', ({ facts }) => facts.products.toLocaleString('en')),
      line(
        'list page, cold',
        ({ cold }) => `${cold.uncompressedUs.toFixed(0)} µs (${percent(cold.ratio)} of plain)`,
      ),
      line(
        '`goods/index`, made anew',
        ({ list }) => `${ratioText(list)}, p99 ${milliseconds(list.p99)}`,
      ),
      line('`goods/index?keywords=`, made anew', ({ search }) => ratioText(search)),
      line('`goods/index?keywords=`, processor time', ({ search }) => processorTime(search)),
      line('`goods/index?keywords=`, p99', ({ search }) => milliseconds(search.p99)),
      line('`goods/search`, made anew', ({ classes }) => ratioText(classes)),
      line('`goods/search`, processor time', ({ classes }) => processorTime(classes)),
      line('`goods/search`, p99', ({ classes }) => milliseconds(classes.p99)),
      line('start of the web process', ({ startMs }) => seconds(startMs)),
      line('reading the catalogue, building the search', ({ cold }) => seconds(cold.snapshotMs)),
      line('memory when ready', ({ memory }) => megabytes(memory.loaded.residentMb)),
      line('memory after all load', ({ memory }) => megabytes(memory.after.residentMb)),
      line('a changed price is shown after', ({ change }) => seconds(change.seenMs)),
      line('longest wait of a request meanwhile', ({ change }) => seconds(change.longestMs)),
    ],
  )
}

function growthNotes(sizes: readonly Size[]): string[] {
  const largest = sizes.at(-1)
  if (!largest) return []
  const p99 = Math.max(largest.search.p99, largest.classes.p99)
  return [
    'Processor time is of all threads of the web process for a request, whatever else the machine did.',
    'A changed price makes the process read the whole catalogue again, beside the one it answers from: memory after all load holds both for a moment.',
    `Search at ${largest.factor} times: p99 ${milliseconds(p99)}, to reach ≤ ${SEARCH_LIMIT_MS} ms: ${p99 <= SEARCH_LIMIT_MS ? 'met' : '**not met**'}.`,
  ]
}

function processorTime({ cpuMicroseconds }: ContestResult): string {
  return cpuMicroseconds === null ? 'unknown' : `${cpuMicroseconds.toFixed(0)} µs`
}

function seconds(value: number): string {
  return `${(value / 1000).toFixed(2)} s`
}
