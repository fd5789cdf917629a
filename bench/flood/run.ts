import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

/**
 * Sends a running shop bodies of 8 MB from 50 addresses of this machine while somebody looks at a page, and tells how long the page
 * takes meanwhile: `npm run bench:flood -- --port 3000`.
 */
export interface Flood {
  readonly port: number
  readonly bodies: number
  readonly bytes: number
  readonly addresses: number
}

const EVERY_MS = 10
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    path: { type: 'string', default: '/cards' },
    bodies: { type: 'string', default: '200' },
  },
})
const flood: Flood = {
  port: Number(values.port),
  bodies: Number(values.bodies),
  bytes: 8 * 1024 * 1024,
  addresses: 50,
}
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

await look()
report('before', await lookWhile(new Promise((resolve) => setTimeout(resolve, 2_000))))
const sender = new Worker(new URL('./sender.ts', import.meta.url), { workerData: flood })
const answered = new Promise<readonly (readonly [string, number])[]>((resolve, reject) =>
  sender.once('message', resolve).once('error', reject),
)
report('meanwhile', await lookWhile(answered))
console.log(
  `${flood.bodies} bodies of 8 MB: ${(await answered).map(([answer, count]) => `${count} × ${answer}`).join(', ')}`,
)
agent.destroy()

async function lookWhile(work: Promise<unknown>): Promise<readonly number[]> {
  const times: Promise<number>[] = []
  const timer = setInterval(() => times.push(look()), EVERY_MS)
  await work
  clearInterval(timer)
  return (await Promise.all(times)).toSorted((a, b) => a - b)
}

function look(): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    request(
      {
        port: flood.port,
        host: '127.0.0.1',
        path: values.path,
        agent,
        headers: { 'accept-encoding': 'br' },
      },
      (answer) => answer.resume().on('end', () => resolve(performance.now() - began)),
    )
      .on('error', reject)
      .end()
  })
}

function report(what: string, times: readonly number[]): void {
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  console.log(`${what}: ${times.length} pages, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}
