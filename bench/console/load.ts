import { readFileSync, readdirSync } from 'node:fs'
import type { ShopProcesses } from '../buying/shop-processes.ts'
import { median } from '../median.ts'
import { cpuSeconds } from '../process-figures.ts'
import { grid } from '../report.ts'

/** Cores that each part kept busy: one is a core for the whole time. */
export type Load = ReadonlyMap<string, number>

interface Reading {
  readonly at: number
  readonly seconds: ReadonlyMap<string, number>
  readonly since: (before: Reading) => Load
}

/** Processor time of each part of the shop until now, and of the benchmark itself, which shares the machine. */
export function loadOf({ pids }: ShopProcesses): Reading {
  const at = performance.now()
  const one = (pid: number) => cpuSeconds(pid) ?? Number.NaN
  const seconds = new Map([
    ['web', one(pids.web)],
    ['worker', one(pids.worker)],
    ['database', databaseSeconds()],
    ['payment service, mail server', one(pids.payment) + one(pids.mail)],
    ['benchmark itself', one(process.pid)],
  ])
  const since = (before: Reading): Load =>
    new Map(
      [...seconds].map(([part, now]) => [
        part,
        ((now - (before.seconds.get(part) ?? 0)) * 1_000) / (at - before.at),
      ]),
    )
  return { at, seconds, since }
}

/** Of the server that this process started, and all that it started. */
function databaseSeconds(): number {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)]),
  )
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)))
  let sum = 0
  for (const pid of parents.keys())
    if (commandOf(pid) === 'postgres' && isOurs(pid)) sum += cpuSeconds(pid) ?? 0
  return sum
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
const commandOf = (pid: number) => read(`/proc/${pid}/comm`).trim()
function parentOf(pid: string): number | undefined {
  const text = read(`/proc/${pid}/stat`)
  const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  return parent > 0 ? parent : undefined
}

export function loadTable({
  alone,
  beside,
}: {
  readonly alone: readonly Load[]
  readonly beside: readonly Load[]
}): string {
  const middle = (loads: readonly Load[], part: string) =>
    median(loads.map((load) => load.get(part) ?? 0)).toFixed(2)
  return grid(
    ['cores kept busy', 'purchases alone', 'beside ten operators'],
    [...(alone[0]?.keys() ?? [])].map((part) => [part, middle(alone, part), middle(beside, part)]),
  )
}
