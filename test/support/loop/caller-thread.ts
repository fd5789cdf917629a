import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Prepared, Reply } from './turns.ts'

/** Runs in a thread of its own, so that sending and receiving cost the watched thread nothing but its own share. */
const { port } = workerData as { readonly port: number }
/** One that is kept: a server that refuses a long body before it is sent would otherwise close the connection over it. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let prepared: Prepared | null = null

parentPort?.on('message', (message: Prepared | 'go') => {
  if (message !== 'go') prepared = message
  else if (prepared)
    try {
      send(prepared)
    } catch (error) {
      parentPort?.postMessage({ status: 0, headers: {}, text: String(error) } satisfies Reply)
    }
})

function send({ method, path, headers, body }: Prepared): void {
  const tell = (told: Reply) => parentPort?.postMessage(told)
  const sent = request({ port, host: '127.0.0.1', method, path, headers, agent }, (answer) => {
    const parts: Buffer[] = []
    answer
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () =>
        tell({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString('utf8', 0, 2_000),
        }),
      )
  })
  sent.on('error', (error) => tell({ status: 0, headers: {}, text: String(error) }))
  sent.setTimeout(30_000, () => sent.destroy(new Error('no answer in 30 s')))
  sent.end(body)
}
