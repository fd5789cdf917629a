import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Who calls, as far as the network says. */
export interface Visitor {
  /** Address of the client. */
  readonly address: string
  /** Its network: "203.0.113.0/24", "2001:db8:1:200::/56". What limits count by and what the list of devices shows. */
  readonly network: string
  readonly userAgent: string
  /** What the browser says of having been here before, as it sends it; proves nothing by itself. */
  readonly device?: string
  /** The languages the browser asks for, as it writes them. */
  readonly acceptLanguage?: string
}

const USER_AGENT_MAX = 400
const ACCEPT_LANGUAGE_MAX = 200

/** Reads who calls. `proxies` are the addresses whose X-Forwarded-For is believed; from anybody else it means nothing. */
export function visitorOf(
  req: Pick<IncomingMessage, 'socket' | 'headers'>,
  proxies: Proxies,
): Visitor {
  const address = clientAddress(
    plainAddress(req.socket.remoteAddress ?? ''),
    req.headers['x-forwarded-for'],
    proxies,
  )
  const languages = req.headers['accept-language']
  return {
    address,
    network: networkOf(address),
    userAgent: (req.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
    ...(languages === undefined ? {} : { acceptLanguage: languages.slice(0, ACCEPT_LANGUAGE_MAX) }),
  }
}

/** The addresses whose word about the caller is believed. */
export class Proxies {
  readonly #list: BlockList
  readonly #isEmpty: boolean
  /** Behind a proxy all requests come from one address, and looking it up costs more than the rest of a kept page. */
  #last = { address: '', isListed: false }

  constructor(list: BlockList) {
    this.#list = list
    this.#isEmpty = list.rules.length === 0
  }

  has(address: string): boolean {
    if (this.#isEmpty) return false
    if (this.#last.address !== address) {
      const family = isIP(address)
      const isListed = family !== 0 && this.#list.check(address, family === 4 ? 'ipv4' : 'ipv6')
      this.#last = { address, isListed }
    }
    return this.#last.isListed
  }
}

/** Addresses and ranges separated by commas ("127.0.0.1, 10.0.0.0/8"). Throws RangeError on anything else. */
export function parseProxies(text: string): Proxies {
  const list = new BlockList()
  for (const part of text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')) {
    const [address = '', bits] = part.split('/')
    const family = isIP(address)
    if (family === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new RangeError(part)
    const type = family === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, type)
    else list.addSubnet(address, Number(bits), type)
  }
  return new Proxies(list)
}

/** From the right, the first address that is no proxy of ours: what stands left of it was written by the client. */
function clientAddress(
  peer: string,
  forwarded: string | readonly string[] | undefined,
  proxies: Proxies,
): string {
  if (!proxies.has(peer)) return peer
  const chain = [forwarded ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((entry) => plainAddress(entry.trim()))
    .filter((entry) => entry !== '')
  let client = peer
  while (proxies.has(client)) {
    const next = chain.pop()
    if (next === undefined || isIP(next) === 0) break
    client = next
  }
  return client
}

/** Node writes IPv4 over an IPv6 socket as "::ffff:203.0.113.9". */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

/** IPv4: /24. IPv6: /56, what a provider gives one customer. */
export function networkOf(address: string): string {
  const family = isIP(address)
  if (family === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  if (family === 0) return 'unknown'
  const groups = expanded(address)
  const fourth = (Number.parseInt(groups[3] ?? '0', 16) & 0xff00).toString(16)
  return `${[...groups.slice(0, 3), fourth].map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/56`
}

/** The IPv6 site (/48) that a network lies in: what one customer of a hosting provider may have. Null for IPv4, where many share. */
export function siteOf(network: string): string | null {
  if (!network.endsWith('::/56')) return null
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

function expanded(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  if (tail === undefined) return left
  const right = tail === '' ? [] : tail.split(':')
  return [
    ...left,
    ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'),
    ...right,
  ]
}
