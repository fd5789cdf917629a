import { isIP } from 'node:net'

/**
 * Whether a host name, without a port and with or without the brackets of IPv6, means this machine wherever it is looked up: a name
 * of the reserved domain `localhost` (RFC 6761) or a loopback address.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (isIP(name) === 4) return name.startsWith('127.')
  if (isIP(name) === 6) return URL.parse(`http://[${name}]`)?.hostname === '[::1]'
  return name === 'localhost' || name.endsWith('.localhost')
}
