import type { IncomingMessage, RequestListener } from 'node:http'

/** What is left of a shorter body is read in no time. */
const SHORT_BYTES = 256 * 1024
/** Of so many refused bodies at once the rest is read, slowly, since browsers hear no answer before they have sent all. */
const READ_AT_ONCE = 8
const PACE_MS = 20
const READ_MOST_MS = 15_000
/** The others may hear the answer, and are hung up on. */
const LINGER_MS = 1_000

/**
 * An answer that was given before the end of a body: reading the rest of it as fast as it comes, as Node does by itself, would cost more than
 * anything else that such a request can do.
 */
export function withUnreadBodies(listener: RequestListener): RequestListener {
  let reading = 0
  return (req, res) => {
    if (!isLong(req)) return listener(req, res)
    res.once('prefinish', () => {
      if (req.complete || req.destroyed) return
      // The first look says that somebody reads, so that Node does not; how fast is up to whoever looks again.
      req.read(0)
      const mayBeRead = reading < READ_AT_ONCE
      if (mayBeRead) reading += 1
      const pace = mayBeRead ? setInterval(() => void req.read(), PACE_MS) : undefined
      const end = setTimeout(() => req.socket.destroy(), mayBeRead ? READ_MOST_MS : LINGER_MS)
      req.once('close', () => {
        if (mayBeRead) reading -= 1
        clearInterval(pace)
        clearTimeout(end)
      })
    })
    listener(req, res)
  }
}

function isLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > SHORT_BYTES
  )
}
