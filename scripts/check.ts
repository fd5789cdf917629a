import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

type Check = Readonly<{ name: string; args: readonly string[] }>

/**
 * Every check that needs neither database nor browser: types, lint, and each script named check-*.ts (structure, locales,
 * links …). All are run, so that one run tells all faults; exit code 1 when any failed.
 */
const checks: readonly Check[] = [
  { name: 'types', args: [tool('typescript', 'bin', 'tsc'), '--noEmit', '-p', ROOT] },
  {
    name: 'lint',
    args: [tool('oxlint', 'bin', 'oxlint'), '--quiet', 'src', 'scripts', 'test', 'bench'],
  },
  ...readdirSync(import.meta.dirname)
    .filter((name) => /^check-.*(?<!\.test)\.ts$/.test(name))
    .map((name) => ({
      name: name.slice('check-'.length, -'.ts'.length),
      args: [join(import.meta.dirname, name)],
    })),
]

const failed = checks.filter((check) => !passes(check)).map(({ name }) => name)
process.stdout.write(
  failed.length === 0
    ? `Checks passed: ${checks.map(({ name }) => name).join(', ')}.\n`
    : `Checks failed: ${failed.join(', ')}.\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1

function passes({ name, args }: Check): boolean {
  const run = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (run.status !== 0)
    process.stdout.write(`--- ${name}\n${run.stdout}${run.stderr}${run.error?.message ?? ''}`)
  return run.status === 0
}

function tool(...path: string[]): string {
  return join(ROOT, 'node_modules', ...path)
}
