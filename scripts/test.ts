import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBrowser } from './ensure-browser.ts'

const ROOT = join(import.meta.dirname, '..')
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const PLAYWRIGHT = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')

type Stage = Readonly<{ name: string; run(): boolean }>

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
      node(join(ROOT, 'test', 'faults', 'run.ts')),
  },
]

process.exitCode = runStages(process.argv.slice(2))

/** Runs the stages asked for, or all, and stops at the first that fails; always ends with one line that says how it went. */
function runStages(names: string[]): number {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name))
  if (unknown.length > 0)
    return close(
      `Unknown stage ${unknown.join(', ')}; there are ${stages.map(({ name }) => name).join(', ')}.`,
      2,
    )
  const wanted = stages.filter(({ name }) => names.length === 0 || names.includes(name))
  // A missing browser is told before the minutes the other stages take.
  if (wanted.some(({ name }) => name === 'e2e') && !foundBrowser())
    return close('Tests failed: no browser.', 1)
  const times: string[] = []
  for (const { name, run } of wanted) {
    process.stdout.write(`\n=== ${name}\n`)
    const began = performance.now()
    if (!run())
      return close(
        `Tests failed in stage ${name}${times.length > 0 ? ` (passed before it: ${times.join(', ')})` : ''}.`,
        1,
      )
    times.push(`${name} ${Math.round((performance.now() - began) / 1000)} s`)
  }
  return close(`All tests passed: ${times.join(', ')}.`, 0)
}

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

function close(line: string, code: number): number {
  process.stdout.write(`\n${line}\n`)
  return code
}
