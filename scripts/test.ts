import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './ensure-browser.ts'
import { runStages, type Stage, type StageOutcome } from './stages.ts'

const ROOT = join(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const PLAYWRIGHT = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')

/** Characters of a failed stage's output that are said again at the end. */
const LAST_WORDS = 12_000

/** More failed journeys than these are no matter of a busy machine. */
const MADE_AGAIN = 5

/** `--long`: what takes a night, too. */
const isLong = process.argv.includes('--long')

/** CHROME_PATH is how the tests learn which browser was found. */
let browser = process.env.CHROME_PATH

const stages: readonly Stage[] = [
  { name: 'check', run: () => node(join(ROOT, 'scripts', 'check.ts')) },
  { name: 'unit', run: () => node(VITEST, 'run', '--project', 'unit') },
  { name: 'db', run: () => node(VITEST, 'run', '--project', 'db') },
  { name: 'e2e', run: () => inBrowser(() => built(journeys)) },
  {
    name: 'faults',
    run: () =>
      built(() => node(join(ROOT, 'test', 'faults', 'run.ts'), ...(isLong ? ['--long'] : []))),
  },
  {
    name: 'attacks',
    isLong: true,
    run: () => built(() => node(join(ROOT, 'test', 'attacks', 'run.ts'))),
  },
  {
    name: 'proxies',
    isLong: true,
    run: () => built(() => node(join(ROOT, 'test', 'proxies', 'run.ts'))),
  },
  { name: 'newcomer', isLong: true, run: () => node(join(ROOT, 'test', 'newcomer', 'run.ts')) },
  {
    name: 'vnu',
    isLong: true,
    run: () => built(() => node(join(ROOT, 'test', 'vnu', 'run.ts'))),
  },
  {
    name: 'engines',
    isLong: true,
    run: () => built(() => node(join(ROOT, 'test', 'engines', 'run.ts'))),
  },
  {
    name: 'owner',
    isLong: true,
    run: () => inBrowser(() => built(() => node(join(ROOT, 'test', 'owner-tasks', 'run.ts')))),
  },
  {
    name: 'upgrade',
    isLong: true,
    run: () => built(() => node(join(ROOT, 'test', 'upgrade', 'rehearse.ts'))),
  },
]

const names = process.argv.slice(2).filter((argument) => argument !== '--long')
process.exitCode = await runStages(stages, { names, isLong }, (line) =>
  process.stdout.write(`\n${line}\n`),
)

async function inBrowser(run: () => Promise<StageOutcome>): Promise<StageOutcome> {
  try {
    browser = ensureBrowser()
  } catch (error) {
    return { isGood: false, lastWords: error instanceof Error ? error.message : String(error) }
  }
  return run()
}

/**
 * Journeys made side by side in one shop. The few that failed at both tries are made a third time alone, in a shop of their own: that
 * tells what is wrong with the shop from what a machine with more browsers than cores was too late for.
 */
async function journeys(): Promise<StageOutcome> {
  const together = await node(PLAYWRIGHT, 'test')
  if (together.isGood) return together
  const failed = failedJourneys()
  if (failed === 0 || failed > MADE_AGAIN) return together
  process.stdout.write(`\n=== made again alone: ${failed} failed among the others\n`)
  return node(PLAYWRIGHT, 'test', '--last-failed', '--no-deps', '--workers=1', '--retries=0')
}

/** @returns how many failed, none where the run did not come to its end */
function failedJourneys(): number {
  const told = join(ROOT, 'test-results', '.last-run.json')
  if (!existsSync(told)) return 0
  const { failedTests } = JSON.parse(readFileSync(told, 'utf8')) as {
    readonly failedTests: readonly string[]
  }
  return failedTests.length
}

async function built(run: () => Promise<StageOutcome>): Promise<StageOutcome> {
  const build = await node(join(ROOT, 'scripts', 'build.ts'), '--if-stale')
  return build.isGood ? run() : build
}

function node(...args: string[]): Promise<StageOutcome> {
  const environment = {
    ...process.env,
    ...(browser ? { CHROME_PATH: browser } : {}),
    ...(isLong ? { LONG: '1' } : {}),
  }
  const run = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  })
  let lastWords = ''
  for (const [stream, out] of [
    [run.stdout, process.stdout],
    [run.stderr, process.stderr],
  ] as const)
    stream.on('data', (chunk: Buffer) => {
      out.write(chunk)
      lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS)
    })
  return new Promise((resolve) => {
    run.once('error', (error) => resolve({ isGood: false, lastWords: error.message }))
    run.once('close', (code) => resolve({ isGood: code === 0, lastWords }))
  })
}
