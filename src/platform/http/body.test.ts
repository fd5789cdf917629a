import { createServer, request, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BodiesTooMany, BodyAborted, BodyTooLarge, readBody } from './body.ts'

const MIB = 1024 * 1024
const failures: unknown[] = []
const server = createServer((req, res) => {
  readBody(req, 8 * MIB).then(
    (body) => res.end(String(body.length)),
    (error: unknown) => {
      failures.push(error)
      req.resume()
      res.statusCode =
        error instanceof BodiesTooMany ? 429 : error instanceof BodyTooLarge ? 413 : 500
      res.end()
    },
  )
})
const under: ClientRequest[] = []

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  for (const sent of under) sent.destroy()
  server.closeAllConnections()
  server.close()
})

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const send = async (bytes: number) =>
  (await fetch(base(), { method: 'POST', body: Buffer.alloc(bytes) })).status

/** Sends nearly all of a long body and waits. */
function begin(): Promise<ClientRequest> {
  const sent = request(base(), { method: 'POST', headers: { 'content-length': 8 * MIB } })
  sent.on('error', () => undefined)
  under.push(sent)
  return new Promise((resolve) => void sent.write(Buffer.alloc(8 * MIB - 1), () => resolve(sent)))
}

test('a body is read whole up to its limit', async () => {
  expect([await send(0), await send(8 * MIB), await send(8 * MIB + 1)]).toEqual([200, 200, 413])
})

test('long bodies that are sent slowly leave room for short ones, and give theirs back', async () => {
  await Promise.all(Array.from({ length: 8 }, begin))
  // What was sent may still be on its way.
  await expect.poll(() => send(MIB), { timeout: 60_000 }).toBe(429)
  expect(await send(60_000)).toBe(200)
  for (const sent of under.splice(0)) sent.destroy()
  await expect.poll(() => send(MIB), { timeout: 60_000 }).toBe(200)
  expect(await send(8 * MIB)).toBe(200)
})

test('a sender who goes away is no fault of the program', async () => {
  failures.length = 0
  const sent = request(base(), { method: 'POST', headers: { 'content-length': 10 } })
  sent.on('error', () => undefined)
  await new Promise((resolve) => void sent.write('half', resolve))
  setTimeout(() => sent.destroy(), 50)
  await expect.poll(() => failures.length, { timeout: 60_000 }).toBe(1)
  expect(failures[0]).toBeInstanceOf(BodyAborted)
})
