import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** A line of the table. */
export interface Row {
  readonly what: string
  readonly measured: string
  /** What is to be reached; empty for a figure that only informs. */
  readonly target: string
  readonly isMet: boolean | null
}

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`

export function toReach(what: string, measured: string, target: string, isMet: boolean): Row {
  return { what, measured, target, isMet }
}

export function toKnow(what: string, measured: string): Row {
  return { what, measured, target: '', isMet: null }
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, measured, target, isMet }) => [
    what,
    measured,
    target,
    isMet === null ? '' : isMet ? 'yes' : '**no**',
  ])
  return grid(['what', 'measured', 'to reach', 'met'], cells)
}

export function grid(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [
    line(head),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map(line),
  ].join('\n')
}

export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return `${availableParallelism()} cores (${model}), ${(totalmem() / 2 ** 30).toFixed(0)} GB of memory, ${process.platform} ${process.arch}, Node ${process.version}`
}

/** What the machine did in the last minute before; a quiet one shows well under 1. */
export function otherWork(): string {
  return `load average ${(loadavg()[0] ?? 0).toFixed(1)} before the run`
}
