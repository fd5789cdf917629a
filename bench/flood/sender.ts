import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Flood } from './run.ts'

/** Sends the bodies from a thread of its own, so that sending does not slow the one that measures. */
const { port, bodies, bytes, addresses } = workerData as Flood
const KINDS = [
  ['/api/user/login', 'application/json', '['],
  ['/api/user/login', 'application/x-www-form-urlencoded', 'a&'],
  ['/api/upload/image', 'multipart/form-data; boundary=x', '\r\n--x'],
  ['/login', 'application/x-www-form-urlencoded', 'a=1&'],
  ['/userDetail', 'multipart/form-data; boundary=x', '--x\r\n'],
  ['/language_currency', 'application/x-www-form-urlencoded', 'a&'],
  ['/api/webhook/stripe', 'application/json', '{"a":'],
  ['/cards', 'text/plain', '\0'],
] as const

const answers = new Map<string, number>()
let next = 0

await Promise.all(
  Array.from({ length: addresses }, async (_, index) => {
    while (next < bodies) {
      next += 1
      const answer = await send(`127.0.0.${index + 2}`, KINDS[next % KINDS.length] ?? KINDS[0])
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }
  }),
)
parentPort?.postMessage([...answers])

function send(localAddress: string, [path, type, unit]: (typeof KINDS)[number]): Promise<string> {
  const body = Buffer.alloc(bytes, unit)
  return new Promise((resolve) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        localAddress,
        path,
        method: 'POST',
        headers: { 'content-type': type, 'content-length': body.length },
      },
      (answer) => answer.resume().on('end', () => resolve(String(answer.statusCode))),
    )
    // Refused before the end of the body: some connections are closed over it.
    sent.on('error', () => resolve('closed')).setTimeout(30_000, () => sent.destroy())
    sent.end(body)
  })
}
