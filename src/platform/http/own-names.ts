import type { RequestListener } from 'node:http'
import { isLoopbackHost } from './loopback.ts'

const SENTENCE =
  'This is a demo, and it answers names of its own machine only, such as localhost: anybody can read its mails and take its accounts. DEMO=public opens it to others.'

/**
 * Answers only who calls the demo by a name of this machine, or by the demo's own: not a forgotten proxy or tunnel in front of it, nor a
 * page of somebody's that had its own name point here (DNS rebinding).
 */
export function withOwnNames(listener: RequestListener, publicUrl: string): RequestListener {
  const own = new URL(publicUrl).hostname
  return (req, res) => {
    const host = req.headers.host?.replace(/:\d*$/, '').toLowerCase()
    if (host !== undefined && (host === own || isLoopbackHost(host))) return listener(req, res)
    res.writeHead(421, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(SENTENCE),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    res.end(req.method === 'HEAD' ? undefined : SENTENCE)
  }
}
