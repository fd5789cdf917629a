import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection, quantile, type Connection } from './client.ts'

/**
 * Requests at a steady rate, whatever the server does: each has its moment, and its time counts from that moment, also
 * while it waits for a connection, so that a server that stands still is charged for everybody who would have come meanwhile.
 */
export interface SteadyLoad {
  readonly port: number
  /** Sent by turns. */
  readonly requests: readonly Buffer[]
  readonly perSecond: number
  readonly seconds: number
}

export interface SteadyResult {
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const CONNECTIONS = 32

/** Throws when any answer is not a success. */
export async function applySteadyLoad({
  port,
  requests,
  perSecond,
  seconds,
}: SteadyLoad): Promise<SteadyResult> {
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
  const connections = [...idle]
  const latencies: number[] = []
  const waiting: Visit[] = []
  const begin = (visit: Visit, connection: Connection) =>
    connection.send(visit.request, () => {
      latencies.push(performance.now() - visit.due)
      const next = waiting.shift()
      if (next) begin(next, connection)
      else idle.push(connection)
    })
  const arrivals = arrive({ count: perSecond * seconds, perSecond }, (number, due) => {
    const visit = { request: requests[number % requests.length] as Buffer, due }
    const connection = idle.pop()
    if (connection) begin(visit, connection)
    else waiting.push(visit)
  })
  const failure = Promise.race(connections.map(({ closed }) => closed))
  await Promise.race([
    failure,
    arrivals.then(() => untilAllAnswered(() => latencies.length, perSecond * seconds)),
  ])
  for (const connection of connections) connection.close()
  const sorted = Float64Array.from(latencies).sort()
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: sorted.at(-1) ?? 0 }
}

interface Visit {
  readonly request: Buffer
  readonly due: number
}

/** Calls `visit` for each arrival when it is due (within the millisecond that timers have), with the moment it was due at. */
export async function arrive(
  schedule: { readonly count: number; readonly perSecond: number },
  visit: (number: number, due: number) => void,
): Promise<void> {
  const began = performance.now()
  for (let number = 0; number < schedule.count; ) {
    const due = began + (number * 1000) / schedule.perSecond
    if (due <= performance.now()) visit(number++, due)
    else await sleep(1)
  }
}

async function untilAllAnswered(answered: () => number, asked: number): Promise<void> {
  while (answered() < asked) await sleep(1)
}
