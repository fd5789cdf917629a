import { lookup as resolve } from 'node:dns'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses that lead to this machine, into its network, or nowhere: nobody's supplier stands there. */
const INSIDE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  INSIDE.addSubnet(network, bits, 'ipv4')
/** What is not global unicast, and what carries an address of version 4 within. */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  INSIDE.addSubnet(network, bits, 'ipv6')
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')

export function isOutside(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !INSIDE.check(address, 'ipv4')
  return version === 6 && GLOBAL.check(address, 'ipv6') && !INSIDE.check(address, 'ipv6')
}

/** A host that is an address itself is never looked up, so that it is checked here. */
export function isInsideLiteral(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) !== 0 && !isOutside(bare)
}

/** Finds all addresses of a name. */
export type Finding = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * Finds a name's addresses and gives those on only when each of them is outside. The connection is made to what was checked, so that a name that
 * answers differently the next moment gains nothing.
 */
export const outsideLookup =
  (find: Finding): LookupFunction =>
  (hostname, options, done) => {
    find(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      if (found.length === 0 || found.some(({ address }) => !isOutside(address)))
        return done(Object.assign(new Error('an address inside'), { code: 'EINSIDE' }), '')
      if (options.all) return done(null, found)
      const [first] = found
      return done(null, first?.address ?? '', first?.family)
    })
  }

export const lookupOutside = outsideLookup(resolve)
