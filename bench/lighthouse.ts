/**
 * `npm run bench:lighthouse -- --port 3000`: twelve indexable pages of a running demo shop, looked at by Lighthouse as a phone of few means
 * (its own throttling), the median of five looks each; `--busy` beside a program on each core that does nothing but burn it. Lighthouse
 * comes from the package registry for the run, and is no part of the shop.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBrowser } from '../scripts/ensure-browser.ts'
import { median } from './median.ts'
import { grid, machine, otherWork } from './report.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
const PAGES = [
  '/',
  '/cards',
  '/top-up',
  '/game',
  '/game/mobile-legends',
  '/top-up/mobile-legends-global',
  '/cards/steam-us',
  '/product/key-elden-ring-global',
  '/mobile-recharge',
  '/news',
  '/about-us',
  '/contact-us',
] as const
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const METRICS = {
  'total-blocking-time': (ms: number) => `${Math.round(ms)} ms`,
  'cumulative-layout-shift': (shift: number) => shift.toFixed(3),
  'largest-contentful-paint': (ms: number) => `${(ms / 1000).toFixed(1)} s`,
} as const

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<
    Record<
      string,
      { readonly score: number | null; readonly numericValue?: number; readonly title: string }
    >
  >
}

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
    busy: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'lukado-lighthouse-'))
const burners = options.busy
  ? Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    )
  : []

try {
  say(`${machine()}; ${otherWork()}${options.busy ? '; every core burnt by a program' : ''}\n`)
  const rows: string[][] = []
  const below = new Map<string, string>()
  for (const path of PAGES) {
    const reports: Report[] = []
    for (let round = 0; round < Number(options.rounds); round += 1)
      reports.push(await look(`http://127.0.0.1:${options.port}${path}`))
    rows.push([`\`${path}\``, ...scoresOf(reports), ...metricsOf(reports)])
    for (const [id, title] of failed(reports)) below.set(`${path} ${id}`, title)
  }
  say(grid(['page', ...CATEGORIES, ...Object.keys(METRICS)], rows))
  for (const [where, title] of below) say(`- ${where}: ${title}`)
} finally {
  for (const burner of burners) burner.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

/** A look that Lighthouse itself could not take (it lost the trace) is taken again; a page that is at fault fails each time. */
async function look(url: string, triesLeft = 2): Promise<Report> {
  const file = join(folder, 'report.json')
  const child = spawn(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update --no-first-run',
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CHROME_PATH: ensureBrowser() },
      timeout: 300_000,
    },
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0 && triesLeft > 0) return look(url, triesLeft - 1)
  if (code !== 0) throw new Error(`Lighthouse ended with ${code} at ${url}`)
  return JSON.parse(readFileSync(file, 'utf8')) as Report
}

function scoresOf(reports: readonly Report[]): string[] {
  return CATEGORIES.map((name) =>
    String(
      Math.round(median(reports.map(({ categories }) => (categories[name]?.score ?? 0) * 100))),
    ),
  )
}

function metricsOf(reports: readonly Report[]): string[] {
  return Object.entries(METRICS).map(([name, write]) =>
    write(median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN))),
  )
}

/** What a page lacks in accessibility, practices or being found, in any look. */
function failed(reports: readonly Report[]): [id: string, title: string][] {
  return reports.flatMap(({ audits }) =>
    Object.entries(audits)
      .filter(([, { score, numericValue }]) => score === 0 && numericValue === undefined)
      .map(([id, { title }]): [string, string] => [id, title]),
  )
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
