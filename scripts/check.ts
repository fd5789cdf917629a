import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

type Check = Readonly<{ name: string; args: readonly string[] }>

/**
 * Every check that needs neither database nor browser: types, format, lint, and each script named check-*.ts (structure, locales,
 * links …). All are run, side by side, so that one run tells all faults; exit code 1 when any failed.
 */
const checks: readonly Check[] = [
  { name: 'types', args: [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', ROOT] },
  { name: 'format', args: [tool('@biomejs', 'biome', 'bin', 'biome'), 'format', '.'] },
  {
    name: 'lint',
    args: [tool('oxlint', 'bin', 'oxlint'), 'src', 'scripts', 'test', 'bench'],
  },
  ...readdirSync(import.meta.dirname)
    .filter((name) => /^check-.*(?<!\.test)\.ts$/.test(name))
    .map((name) => ({
      name: name.slice('check-'.length, -'.ts'.length),
      args: [join(import.meta.dirname, name)],
    })),
]

const failed: string[] = []
const waiting = [...checks]
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, runWaiting))
process.stdout.write(
  failed.length === 0
    ? `Checks passed: ${checks.map(({ name }) => name).join(', ')}.\n`
    : `Checks failed: ${failed.join(', ')}.\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1

async function runWaiting(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift())
    if (!(await passes(check))) failed.push(check.name)
}

/** What a check says is kept until it is done, so that no two speak at once. */
function passes({ name, args }: Check): Promise<boolean> {
  const said: Buffer[] = []
  const run = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [run.stdout, run.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk))
  return new Promise((resolve) => {
    const end = (isGood: boolean) => {
      if (!isGood) process.stdout.write(`--- ${name}\n${Buffer.concat(said).toString()}`)
      resolve(isGood)
    }
    run.once('error', (error) => {
      said.push(Buffer.from(error.message))
      end(false)
    })
    run.once('close', (code) => end(code === 0))
  })
}

function tool(...path: string[]): string {
  return join(ROOT, 'node_modules', ...path)
}
