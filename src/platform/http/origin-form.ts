import type { RequestListener } from 'node:http'

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Whoever asks for a whole address ("GET http://shop.example/cards HTTP/1.1") gets what is below its name, as RFC 9112 §3.2.2 has it: the
 * name in the address counts and the header `Host` does not.
 */
export function withOriginForm(listener: RequestListener): RequestListener {
  return (req, res) => {
    const [, host, rest = ''] = req.url?.startsWith('/') ? [] : (ABSOLUTE.exec(req.url ?? '') ?? [])
    if (host !== undefined) {
      req.headers.host = host
      req.url = rest.startsWith('/') ? rest : `/${rest}`
    }
    listener(req, res)
  }
}
