import { isAppError } from '#kernel/error.ts'
import { isRefusal, refusal } from '#platform/refusal.ts'
import { optionOf } from './commands.ts'

/** Lines of columns, each as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(oneLine))
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** What a stranger wrote may hold anything: a terminal is not to obey it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}

/** Writes JSON for scripts where it is asked for, else text for people. Amounts are whole minor units as text. */
export function print(args: readonly string[], data: unknown, text: () => string): void {
  const plain = (_: string, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value
  process.stdout.write(args.includes('--json') ? `${JSON.stringify(data, plain, 2)}\n` : text())
}

export function positionals(args: readonly string[]): string[] {
  return args.filter((arg) => !arg.startsWith('--'))
}

export function required(args: readonly string[], option: string, what: string): string {
  const given = optionOf(args, option)?.trim()
  if (!given) throw refusal(`${option} is missing: ${what}.`)
  return given
}

/** Turns the refusals of a command's work into sentences. */
export async function explained<T>(
  sentences: Readonly<Record<string, string>>,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    // What the operator's role does not allow has a sentence of its own.
    const isLack = isAppError(error) && ('permission' in error.params || 'limit' in error.params)
    const sentence = isAppError(error) && !isLack ? sentences[error.code] : undefined
    if (isAppError(error) && isRefusal(error.cause)) throw error.cause
    throw sentence === undefined ? error : refusal(sentence, error)
  }
}

/** "2026-11-21 10:04" in UTC. */
export function moment(at: Date | null): string {
  return at === null ? '' : at.toISOString().slice(0, 16).replace('T', ' ')
}
