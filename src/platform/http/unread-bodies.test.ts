import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withUnreadBodies } from './unread-bodies.ts'

const server = createServer(withUnreadBodies((_, res) => void res.writeHead(413).end('no')))

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends a whole body and hears the answer; how much of it had to be sent. */
function send(bytes: number): Promise<{ readonly status: number; readonly isCut: boolean }> {
  return new Promise((resolve) => {
    let status = 0
    const sent = request(
      {
        port: (server.address() as AddressInfo).port,
        method: 'POST',
        agent: false,
        headers: { 'content-length': bytes, connection: 'keep-alive' },
      },
      (answer) => {
        status = answer.statusCode ?? 0
        answer.resume()
      },
    )
    sent
      .on('error', () => undefined)
      .on('close', () => resolve({ status, isCut: !sent.writableFinished }))
    sent.end(Buffer.alloc(bytes))
  })
}

test('who sends one long body that is refused hears so, however little of it is read', async () => {
  expect((await send(8 * 1024 * 1024)).status).toBe(413)
})

test('of very many at once most are read no further, and cost next to nothing', async () => {
  const before = process.cpuUsage()
  const answers = await Promise.all(Array.from({ length: 60 }, () => send(32 * 1024 * 1024)))
  const { user, system } = process.cpuUsage(before)
  expect(answers.filter(({ status }) => status === 413).length).toBeGreaterThan(50)
  expect(answers.filter(({ isCut }) => isCut).length).toBeGreaterThan(40)
  // Both ends are in it: a busy machine charges up to five seconds for what is sent alone.
  expect((user + system) / 1_000).toBeLessThan(10_000)
})
