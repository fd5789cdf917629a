import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median } from '../median.ts'
import { cpuSeconds } from '../process-figures.ts'
import { applyLoad } from './client.ts'
import type { RecordedAnswer } from './record.ts'

export const CONNECTIONS = 32

export interface Contest {
  readonly port: number
  readonly pid: number
  readonly requests: readonly Buffer[]
  /** What the raw server answers, in turn. */
  readonly answers: readonly RecordedAnswer[]
  readonly rounds: number
  readonly seconds: number
}

/** Medians over the rounds. */
export interface ContestResult {
  readonly perSecond: number
  readonly rawPerSecond: number
  /** Throughput over the raw server's in the same round. */
  readonly ratio: number
  /** Processor time the raw server needs for a request over ours: free of the client and of what else runs. Null where unknown. */
  readonly cpuRatio: number | null
  /** Processor time of our server for a request, microseconds. */
  readonly cpuMicroseconds: number | null
  readonly p50: number
  readonly p99: number
  /** Share of a core each server used: well under 1 means that the client was the bottleneck. */
  readonly busy: number | null
  readonly rawBusy: number | null
}

/** Ours and the raw server by turns, one never running while the other is measured. */
export async function contest(options: Contest): Promise<ContestResult> {
  const raw = await startRaw(options.answers)
  try {
    const rivals = {
      ours: { port: options.port, pid: options.pid },
      raw: { port: raw.port, pid: raw.child.pid ?? 0 },
    }
    await turn(rivals.raw, options, 0.5, 0)
    let from = (await turn(rivals.ours, options, 1, 0)).count
    const ours: Turn[] = []
    const theirs: Turn[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      const order = round % 2 === 0 ? (['raw', 'ours'] as const) : (['ours', 'raw'] as const)
      for (const name of order) {
        const result = await turn(rivals[name], options, options.seconds, from)
        if (name === 'ours') from += result.count
        ;(name === 'ours' ? ours : theirs).push(result)
      }
    }
    return summarise(ours, theirs)
  } finally {
    raw.child.disconnect()
    await once(raw.child, 'exit')
  }
}

interface Turn {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly count: number
  /** Seconds; null where the system does not tell. */
  readonly cpuPerRequest: number | null
  readonly busy: number | null
}

async function turn(
  server: { port: number; pid: number },
  options: Contest,
  seconds: number,
  from: number,
): Promise<Turn> {
  const before = cpuSeconds(server.pid)
  const began = performance.now()
  const result = await applyLoad({
    port: server.port,
    requests: options.requests,
    connections: CONNECTIONS,
    seconds,
    from,
  })
  const after = cpuSeconds(server.pid)
  const used = before === null || after === null ? null : after - before
  return {
    ...result,
    cpuPerRequest: used === null ? null : used / result.count,
    busy: used === null ? null : used / ((performance.now() - began) / 1000),
  }
}

function summarise(ours: readonly Turn[], raw: readonly Turn[]): ContestResult {
  const cpu = ours.map((turn, at) =>
    turn.cpuPerRequest ? (raw[at]?.cpuPerRequest ?? 0) / turn.cpuPerRequest : null,
  )
  return {
    perSecond: median(ours.map((turn) => turn.perSecond)),
    rawPerSecond: median(raw.map((turn) => turn.perSecond)),
    ratio: median(ours.map((turn, at) => turn.perSecond / (raw[at]?.perSecond ?? Infinity))),
    cpuRatio: medianOrNull(cpu),
    cpuMicroseconds: medianOrNull(
      ours.map((turn) => (turn.cpuPerRequest === null ? null : turn.cpuPerRequest * 1e6)),
    ),
    p50: median(ours.map((turn) => turn.p50)),
    p99: median(ours.map((turn) => turn.p99)),
    busy: medianOrNull(ours.map((turn) => turn.busy)),
    rawBusy: medianOrNull(raw.map((turn) => turn.busy)),
  }
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === values.length ? median(known) : null
}

export async function startRaw(
  answers: readonly RecordedAnswer[],
): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, 'raw-server.ts'), {
    serialization: 'advanced',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const [address] = (await once(child, 'message')) as [{ port: number }]
  child.send([...answers])
  await once(child, 'message')
  return { child, port: address.port }
}
