import type { IncomingHttpHeaders } from 'node:http'
import { Worker } from 'node:worker_threads'

export interface Prepared {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The beginning of the body. */
  readonly text: string
}

export interface Caller {
  /** Sends a request from another thread to a server in this one, and tells the most that one turn of this event loop cost. */
  readonly call: (request: Prepared) => Promise<Reply & { readonly turnMs: number }>
  readonly stop: () => Promise<unknown>
}

/** For a server that listens in this very thread. */
export function startCaller(port: number): Caller {
  const worker = new Worker(new URL('./caller-thread.ts', import.meta.url), {
    workerData: { port },
  })
  return {
    async call(request) {
      worker.postMessage(request)
      const answered = new Promise<Reply>((resolve) => worker.once('message', resolve))
      const { result, turnMs } = await watchTurns(() => {
        worker.postMessage('go')
        return answered
      })
      return { ...result, turnMs }
    },
    stop: () => worker.terminate(),
  }
}

/**
 * The most processor time that this thread took in one turn of its event loop while some work was under way. It is the thread's
 * own time, not the clock's: what other processes or threads do meanwhile counts nothing.
 */
export async function watchTurns<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly turnMs: number }> {
  let longest = 0
  let before = process.threadCpuUsage()
  let isWatching = true
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, user + system)
    before = process.threadCpuUsage()
    if (isWatching) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work()
  await new Promise<void>((resolve) => setImmediate(resolve))
  isWatching = false
  return { result, turnMs: longest / 1_000 }
}
