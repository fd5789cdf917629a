import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { readCall } from './cli/arguments.ts'
import { PROOF_OPTIONS, type Command } from './cli/commands.ts'
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
  const call = readCall([first, ...rest])
  if ('problem' in call) {
    process.stderr.write(`${call.problem}\n${call.isUnknown ? `\n${overview()}` : ''}`)
    return 2
  }
  const { command, args } = call
  if (call.isQuestion) {
    process.stdout.write(
      `npm run cli -- ${usageOf(command)}\n\n${command.description}\n${proofOf(command)}`,
    )
    return 0
  }
  return run(async () =>
    'act' in command
      ? (await import('./cli/as-operator.ts')).runAsOperator(command, args)
      : (await command.load())(args),
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

function usageOf({ name, parameters, needed = [], options = [] }: Command): string {
  return [name, ...parameters, ...needed, ...options.map((option) => `[${option}]`)].join(' ')
}
