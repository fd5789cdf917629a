import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { optionsOf, PROOF_OPTIONS, type Command } from './cli/commands.ts'
import { commands } from './cli/contents.ts'
import { isRefusal } from './platform/refusal.ts'

// What the commands import is compiled once: from the second run on it loads from here. Where this is not writable nothing is kept.
enableCompileCache(join(import.meta.dirname, '..', 'build', 'compile-cache'))

process.exitCode = await main(process.argv.slice(2))

/** Exit codes: 0 done, 1 failed, 2 called wrongly. */
async function main([first, ...rest]: string[]): Promise<number> {
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    process.stdout.write(overview())
    return first === undefined ? 2 : 0
  }
  const isTwoWords = commands.some((candidate) => candidate.name === `${first} ${rest[0]}`)
  const name = isTwoWords ? `${first} ${rest[0]}` : first
  const given = isTwoWords ? rest.slice(1) : rest
  const command = commands.find((candidate) => candidate.name === name)
  if (!command) {
    process.stderr.write(`There is no command "${name}".\n\n${overview()}`)
    return 2
  }
  const args = withValues(command, given)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(
      `npm run cli -- ${usageOf(command)}\n\n${command.description}\n${proofOf(command)}`,
    )
    return 0
  }
  const unknown = args.find((arg) => arg.startsWith('--') && !isKnown(command, arg))
  if (unknown !== undefined) {
    process.stderr.write(`The command "${name}" has no option ${unknown}.\n`)
    return 2
  }
  if (args.filter((arg) => !arg.startsWith('--')).length !== command.parameters.length) {
    const needs =
      command.parameters.length === 0
        ? 'takes no argument'
        : `needs ${command.parameters.join(' ')}`
    process.stderr.write(`The command "${name}" ${needs}.\n`)
    return 2
  }
  return run(async () =>
    'act' in command
      ? (await import('./cli/as-operator.ts')).runAsOperator(command, args)
      : (await command.load())(args),
  )
}

/** `--as Ann` becomes `--as=Ann`, so that each argument stands for itself. */
function withValues(command: Command, args: readonly string[]): string[] {
  const options = optionsOf(command)
  const joined: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    const next = args[index + 1]
    const takesNext =
      options.some((option) => option.startsWith(`${arg} <`)) &&
      next !== undefined &&
      !next.startsWith('--')
    joined.push(takesNext ? `${arg}=${next}` : arg)
    if (takesNext) index += 1
  }
  return joined
}

function isKnown(command: Command, arg: string): boolean {
  const [name = '', value] = arg.split('=', 2)
  return optionsOf(command).some((option) =>
    value === undefined ? option === arg : option.startsWith(`${name} <`),
  )
}

async function run(command: () => Promise<number>): Promise<number> {
  try {
    return await command()
  } catch (error) {
    process.stderr.write(`${isRefusal(error) ? error.message : describe(error)}\n`)
    return 1
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function overview(): string {
  const lines = commands.map((command) => [usageOf(command), command.summary] as const)
  const width = Math.max(...lines.map(([usage]) => usage.length))
  return `Usage: npm run cli -- <command>\n\n${lines.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}\n`).join('')}\nSettings are environment variables; docs/operating/configure.md lists them.\n`
}

/** Who may run it, and how they say who they are. */
function proofOf(command: Command): string {
  if (!('act' in command)) return ''
  const who = command.permission === null ? 'an operator' : `an operator with ${command.permission}`
  return `\nFor ${who}: ${PROOF_OPTIONS.join(', or ')}. docs/operating/team.md tells more.\n`
}

function usageOf({ name, parameters, options = [] }: Command): string {
  return [name, ...parameters, ...options.map((option) => `[${option}]`)].join(' ')
}
