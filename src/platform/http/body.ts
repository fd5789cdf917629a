import type { IncomingMessage } from 'node:http'

/** The body was longer than allowed. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** Reads a whole body; throws BodyTooLarge as soon as it is longer than `maxBytes`. */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLarge()
  const parts: Buffer[] = []
  let length = 0
  for await (const part of req as AsyncIterable<Buffer>) {
    length += part.length
    if (length > maxBytes) throw new BodyTooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const FORM_TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i

export function isForm(contentType: string | undefined): boolean {
  return FORM_TYPES.test(contentType ?? '')
}

/** Fields of a form's body; null when it is not one, or broken. */
export async function parseForm(body: Buffer, contentType: string | undefined): Promise<FormData | null> {
  if (!isForm(contentType)) return null
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType ?? '' } }).formData()
  } catch {
    return null
  }
}
