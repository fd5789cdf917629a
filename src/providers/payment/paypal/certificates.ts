import { X509Certificate, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ProviderRefusal } from '../provider.ts'

export interface CertificateOptions {
  /** Origin they are read from; that of their own address by default. */
  readonly origin?: string | undefined
  readonly timeoutMs: number
  readonly now: () => Date
}

/** The key of the certificate at an address of PayPal's. Throws ProviderRefusal for what is none. */
export type PaypalCertificates = (address: string) => Promise<KeyObject>

const HOSTS = /^api(?:-m)?(?:\.sandbox)?\.paypal\.com$/
const PATH = /^\/v1\/notifications\/certs\/CERT-[\w-]{1,80}$/
const CERTIFICATE_MAX_BYTES = 16_384
const KEPT = 8
const KEPT_MS = 24 * 3_600_000
/** PayPal has one at a time. Whoever names others is answered from memory, and makes the shop ask for no more than so many. */
const READ_AT_MOST = 6
const READ_WITHIN_MS = 10 * 60_000

/** Certificates are read once and kept: a notice that is forged costs the shop no call. */
export function openPaypalCertificates(options: CertificateOptions): PaypalCertificates {
  const { now } = options
  const kept = new LRUCache<string, Promise<KeyObject>>({ max: KEPT })
  const readUntil = new LRUCache<string, number>({ max: KEPT })
  let reads: number[] = []
  return (address) => {
    const url = URL.parse(address)
    if (url?.protocol !== 'https:' || !HOSTS.test(url.host) || !PATH.test(url.pathname))
      return Promise.reject(new ProviderRefusal("the certificate is not PayPal's"))
    const at = now().getTime()
    const known = kept.get(url.pathname)
    if (known && (readUntil.get(url.pathname) ?? 0) > at) return known
    reads = reads.filter((read) => read > at - READ_WITHIN_MS)
    if (reads.length >= READ_AT_MOST)
      return known ?? Promise.reject(new Error('too many certificates of PayPal were named'))
    reads.push(at)
    const reading = readCertificate(`${options.origin ?? url.origin}${url.pathname}`, options)
    kept.set(url.pathname, reading)
    readUntil.set(url.pathname, at + KEPT_MS)
    // Names that PayPal does not know take no place of those it does.
    reading.catch(() => kept.delete(url.pathname))
    return reading
  }
}

async function readCertificate(
  address: string,
  { timeoutMs, now }: CertificateOptions,
): Promise<KeyObject> {
  const answer = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = (await answer.text()).slice(0, CERTIFICATE_MAX_BYTES)
  if (answer.status === 404) throw new ProviderRefusal('PayPal knows no such certificate')
  if (answer.status !== 200) throw new Error(`PayPal gave no certificate: answer ${answer.status}`)
  const certificate = new X509Certificate(text)
  const at = now().getTime()
  if (Date.parse(certificate.validFrom) > at || Date.parse(certificate.validTo) < at)
    throw new ProviderRefusal("PayPal's certificate is not valid now")
  return certificate.publicKey
}
