import type { IncomingMessage } from 'node:http'

/** The body was longer than allowed. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** Others are sending so many long bodies that there is no room for this one. */
export class BodiesTooMany extends Error {
  override readonly name = 'BodiesTooMany'
}

/** The sender went away before the end: nobody waits for an answer. */
export class BodyAborted extends Error {
  override readonly name = 'BodyAborted'
}

/** The body is not what its content type says, or not whole. */
export class BodyBroken extends Error {
  override readonly name = 'BodyBroken'
}

/** A body counts as long from here on. */
const LONG_BYTES = 65_536
/** What all long bodies under way may hold together: anybody can begin one, signed in or not, and send it slowly. */
const HELD_MAX_BYTES = 64 * 1024 * 1024
/** A slow sender is cut off after this, with the time a request may take. */
export const SECONDS_UNTIL_ROOM = 30
let held = 0

/** Reads a whole body; throws BodyTooLarge as soon as it is longer than `maxBytes`, BodiesTooMany and BodyAborted. */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLarge()
  const parts: Buffer[] = []
  let length = 0
  let heldHere = 0
  try {
    for await (const part of req as AsyncIterable<Buffer>) {
      length += part.length
      if (length > maxBytes) throw new BodyTooLarge()
      if (length > LONG_BYTES) {
        heldHere += part.length
        held += part.length
        if (held > HELD_MAX_BYTES) throw new BodiesTooMany()
      }
      parts.push(part)
    }
  } catch (error) {
    throw req.errored && error === req.errored ? new BodyAborted('', { cause: error }) : error
  } finally {
    held -= heldHere
  }
  return Buffer.concat(parts)
}
