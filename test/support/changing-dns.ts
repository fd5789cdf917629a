import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns'
import { isIP, type AddressInfo } from 'node:net'
import type { Finding } from '#providers/supply/wire/outside.ts'

export interface ChangingDns {
  /** Asks this server alone. */
  readonly find: Finding
  /** How often it was asked for an address. */
  readonly asked: () => number
  readonly stop: () => void
}

/** A name server over UDP that gives another list of addresses each time it is asked for a name; the last one stays. */
export async function startChangingDns(
  answers: readonly (readonly string[])[],
): Promise<ChangingDns> {
  const socket = createSocket('udp4')
  let count = 0
  socket.on('message', (query, from) => {
    const list = answers[Math.min(count, answers.length - 1)] ?? []
    if (typeOf(query) === A) count += 1
    const wanted = typeOf(query) === A ? 4 : 6
    socket.send(
      answerOf(
        query,
        list.filter((address) => isIP(address) === wanted),
      ),
      from.port,
      from.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`])
  return {
    asked: () => count,
    stop: () => socket.close(),
    // Of version 6 first, then 4: both before the next answer.
    find: (hostname, _options, done) =>
      resolver.resolve6(hostname, (_none, six: string[] | undefined) =>
        resolver.resolve4(hostname, (_neither, four: string[] | undefined) =>
          done(null, [
            ...(six ?? []).map((address) => ({ address, family: 6 })),
            ...(four ?? []).map((address) => ({ address, family: 4 })),
          ]),
        ),
      ),
  }
}

const [A, AAAA, HEADER] = [1, 28, 12]

function questionEnd(query: Buffer): number {
  let at = HEADER
  while ((query[at] ?? 0) > 0) at += (query[at] ?? 0) + 1
  return at + 5
}

const typeOf = (query: Buffer) => query.readUInt16BE(questionEnd(query) - 4)

/** The question as it came, and a record for each address. */
function answerOf(query: Buffer, addresses: readonly string[]): Buffer {
  const end = questionEnd(query)
  const header = Buffer.from(query.subarray(0, HEADER))
  header.writeUInt16BE(0x81_80, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = bytesOf(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc0_0c, 0)
    record.writeUInt16BE(data.length === 4 ? A : AAAA, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.subarray(HEADER, end), ...records])
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [front, back] = [groups(head), groups(tail)]
  const filled = [...front, ...Array(8 - front.length - back.length).fill('0'), ...back]
  return Buffer.from(
    filled.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]),
  )
}
