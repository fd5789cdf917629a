import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBrowser } from './ensure-browser.ts'
import { runStages, type Stage } from './stages.ts'

const ROOT = join(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const PLAYWRIGHT = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')

/** `--long`: what takes a night, too. */
const isLong = process.argv.includes('--long')

/** CHROME_PATH is how the tests learn which browser was found. */
let browser = process.env.CHROME_PATH

const stages: readonly Stage[] = [
  { name: 'check', run: () => node(join(ROOT, 'scripts', 'check.ts')) },
  { name: 'unit', run: () => node(VITEST, 'run', '--project', 'unit') },
  { name: 'db', run: () => node(VITEST, 'run', '--project', 'db') },
  {
    name: 'e2e',
    run: () =>
      foundBrowser() &&
      node(join(ROOT, 'scripts', 'build.ts'), '--if-stale') &&
      node(PLAYWRIGHT, 'test'),
  },
  {
    name: 'faults',
    run: () =>
      node(join(ROOT, 'scripts', 'build.ts'), '--if-stale') &&
      node(join(ROOT, 'test', 'faults', 'run.ts'), ...(isLong ? ['--long'] : [])),
  },
]

const names = process.argv.slice(2).filter((argument) => argument !== '--long')
process.exitCode = runStages(stages, names, (line) => process.stdout.write(`\n${line}\n`))

function foundBrowser(): boolean {
  try {
    browser = ensureBrowser()
    return true
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return false
  }
}

function node(...args: string[]): boolean {
  const environment = { ...process.env, ...(browser ? { CHROME_PATH: browser } : {}) }
  return (
    spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: environment }).status ===
    0
  )
}
