import { optionsOf, type Command } from './commands.ts'
import { commands } from './contents.ts'

export type Call =
  | { readonly command: Command; readonly args: readonly string[]; readonly isQuestion: boolean }
  | { readonly problem: string; readonly isUnknown: boolean }

/** The command that was meant, with its arguments as it takes them; or a sentence on what is wrong with them. */
export function readCall(words: readonly string[]): Call {
  const counts = [3, 2, 1].filter((count) => count <= words.length)
  const count =
    counts.find((each) => commands.some(({ name }) => name === words.slice(0, each).join(' '))) ??
    counts.find((each) => each < 3 && isGroup(words.slice(0, each).join(' '))) ??
    1
  const name = words.slice(0, count).join(' ')
  const command = commands.find((candidate) => candidate.name === name)
  if (!command) return { problem: unknownSentence(name), isUnknown: !isGroup(name) }
  const args = withValues(command, words.slice(count))
  const isQuestion = args.includes('--help') || args.includes('-h')
  const problem = isQuestion ? null : problemOf(command, args)
  return problem === null ? { command, args, isQuestion } : { problem, isUnknown: false }
}

/** `orders` alone is the beginning of several, and so is `price rule`. */
function isGroup(name: string): boolean {
  return commands.some((candidate) => candidate.name.startsWith(`${name} `))
}

function unknownSentence(name: string): string {
  const group = commands.filter((candidate) => candidate.name.startsWith(`${name} `))
  return group.length === 0
    ? `There is no command "${name}".`
    : `"${name}" is the beginning of these commands:\n${group.map((command) => `  ${command.name.padEnd(24)}${command.summary}`).join('\n')}`
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

function problemOf(command: Command, args: readonly string[]): string | null {
  const { name } = command
  const options = optionsOf(command)
  for (const arg of args.filter((given) => given.startsWith('--'))) {
    const [option = '', value] = arg.split('=', 2)
    const takesValue = options.find((known) => known.startsWith(`${option} <`))
    if (takesValue && value === undefined) return `The option ${takesValue} lacks its value.`
    if (!takesValue && (value !== undefined || !options.includes(option)))
      return `The command "${name}" has no option ${arg}.`
  }
  const lacking = (command.needed ?? []).find(
    (option) => !args.some((arg) => arg.startsWith(`${option.split(' ')[0]}=`)),
  )
  if (lacking !== undefined) return `The command "${name}" needs ${lacking}.`
  return countProblemOf(command, args.filter((arg) => !arg.startsWith('--')).length)
}

function countProblemOf({ name, parameters }: Command, count: number): string | null {
  const least = parameters.filter((parameter) => parameter.startsWith('<')).length
  const isOpen = parameters.some((parameter) => parameter.endsWith('…]'))
  if (count >= least && (isOpen || count <= parameters.length)) return null
  return parameters.length === 0
    ? `The command "${name}" takes no argument.`
    : `The command "${name}" needs ${parameters.join(' ')}.`
}
