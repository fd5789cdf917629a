import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { boundConnections } from './connections.ts'
import { parseProxies } from './visitor.ts'

let server: Server | undefined
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.closeAllConnections()
  server?.close()
})

async function open(max: number): Promise<number> {
  server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    if (req.url !== '/slow') res.end('ok')
  })
  boundConnections(server, parseProxies(''), max)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

/** Asks from an address of this machine, and keeps the connection. Null when the server would not have it. */
async function ask(port: number, from: string, path = '/'): Promise<string | null> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  if (path === '/slow') return null
  const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown]
  return Buffer.isBuffer(data) ? String(data).slice(9, 12) : null
}

const address = (number: number) => `127.0.1.${number}`

test('one address gets the places that are always its own, and of more only a quarter of what is free', async () => {
  const port = await open(200)
  const answers: (string | null)[] = []
  for (let at = 0; at < 80; at += 1) answers.push(await ask(port, address(1)))
  expect(answers.filter((status) => status === '200')).toHaveLength(64)
  expect(await ask(port, address(2))).toBe('200')
})

test('where many addresses keep connections open and ask nothing, new visitors find a place, and who waits for an answer keeps his', async () => {
  const port = await open(40)
  void ask(port, address(200), '/slow')
  for (let at = 0; at < 80; at += 1) {
    let status = await ask(port, address(at))
    // Connections make way once a second.
    for (let tries = 0; status === null && tries < 5; tries += 1) {
      await sleep(500)
      status = await ask(port, address(at))
    }
    expect([at, status]).toEqual([at, '200'])
  }
  expect(sockets[0]?.destroyed).toBe(false)
})
