import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** RFC 8446, appendix B.4, and RFC 5246, appendix C: no encryption, RC4, (triple) DES, export and anonymous suites. */
const WEAK = [
  [0x0000, 0x001b],
  [0x0034, 0x0034],
  [0x003a, 0x003b],
  [0x006c, 0x006d],
  [0x00a6, 0x00a7],
  [0xc001, 0xc003],
  [0xc006, 0xc008],
  [0xc00b, 0xc00d],
  [0xc010, 0xc012],
  [0xc015, 0xc019],
] as const
const [TLS_1_2, TLS_1_3] = [0x0303, 0x0304]
const SUPPORTED_VERSIONS = 43

let socket: Socket
const server = createServer((coming) => {
  socket = coming
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => server.close())

/** The first message of a call as this program makes it, which says what it can be talked into. */
async function hello(): Promise<Buffer> {
  const { port } = server.address() as AddressInfo
  const call = fetch(`https://127.0.0.1:${port}/`).catch(() => null)
  await once(server, 'connection')
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  await call
  return bytes
}

/** Versions and suites offered. After the record (5 bytes), the message (4), a version (2) and a random (32) comes the session's id. */
function readHello(bytes: Buffer) {
  let at = 5 + 4 + 2 + 32
  at += 1 + bytes.readUInt8(at)
  const suites = numbers(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)))
  at += 2 + bytes.readUInt16BE(at)
  at += 1 + bytes.readUInt8(at)
  const end = at + 2 + bytes.readUInt16BE(at)
  let versions: readonly number[] = []
  for (at += 2; at < end; at += 4 + bytes.readUInt16BE(at + 2))
    if (bytes.readUInt16BE(at) === SUPPORTED_VERSIONS)
      versions = numbers(bytes.subarray(at + 5, at + 5 + bytes.readUInt8(at + 4)))
  return { versions, suites }
}

const numbers = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2))

test('what this program asks of others is asked over TLS 1.3 or 1.2, and with no weak suite', async () => {
  const { versions, suites } = readHello(await hello())
  expect(versions).toEqual([TLS_1_3, TLS_1_2])
  expect(suites.length).toBeGreaterThan(3)
  const isWeak = (suite: number) => WEAK.some(([first, last]) => suite >= first && suite <= last)
  expect(suites.filter(isWeak)).toEqual([])
})
