import type { IncomingMessage } from 'node:http'
import { BodyBroken, readBody } from './body.ts'
import { multipartBoundary, parseMultipart } from './multipart.ts'

/** Of a form without files: far more than people type. */
export const FORM_MAX_BYTES = 65_536
/** Of a form with files: a picture of 5 MiB and what a form puts around it. */
export const UPLOAD_FORM_MAX_BYTES = 6 * 1024 * 1024
/** An order's largest form has one field for each of its units. */
export const FORM_FIELDS_MAX = 1_000

const URLENCODED = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i
const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i

export function isForm(contentType: string | undefined): boolean {
  return URLENCODED.test(contentType ?? '') || isMultipart(contentType)
}

export function isMultipart(contentType: string | undefined): boolean {
  return MULTIPART.test(contentType ?? '')
}

/**
 * Reads a form's body. Only where files are taken may it be multipart, and large: whoever asks must have looked before at who
 * sends it. Throws BodyBroken for what is no such form, and what `readBody` throws.
 */
export async function readForm(
  req: IncomingMessage,
  { takesFiles }: { readonly takesFiles: boolean },
): Promise<FormData> {
  const contentType = req.headers['content-type'] ?? ''
  if (!takesFiles || !isMultipart(contentType)) return formData(await readFields(req))
  const boundary = multipartBoundary(contentType)
  if (boundary === null) throw new BodyBroken()
  return parseMultipart(await readBody(req, UPLOAD_FORM_MAX_BYTES), boundary)
}

/** The same of a form that has no files. */
export async function readFields(req: IncomingMessage): Promise<URLSearchParams> {
  if (!URLENCODED.test(req.headers['content-type'] ?? '')) throw new BodyBroken()
  return new URLSearchParams(wholeText(await readBody(req, FORM_MAX_BYTES)))
}

function formData(fields: URLSearchParams): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

/** Throws BodyBroken for what is no percent-encoded UTF-8, or has too many fields. */
function wholeText(body: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    if (text.split('&', FORM_FIELDS_MAX + 1).length > FORM_FIELDS_MAX) throw new BodyBroken()
    // Unlike URLSearchParams it throws at a sequence that is none.
    if (decodeURIComponent(text).length >= 0) return text
  } catch {
    // Told below.
  }
  throw new BodyBroken()
}
