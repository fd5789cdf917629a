import { BodyBroken } from './body.ts'

/** Of the shop's forms none has half as many. */
export const PARTS_MAX = 40
/** Text beside a file, in bytes. */
export const PART_TEXT_MAX_BYTES = 16_384
const PART_HEADERS_MAX_BYTES = 2_048
/** RFC 2046 §5.1.1, `bchars`. */
const BOUNDARY = /;[ \t]*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+./-]{1,70}))[ \t]*(?:;|$)/i

/** The boundary that a multipart content type names; null without a proper one. */
export function multipartBoundary(contentType: string): string | null {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

/**
 * Fields and files of a `multipart/form-data` body (RFC 7578). Its bytes are searched for the boundary once, natively, and never
 * walked as text; the numbers of parts and of bytes around them are bounded. Throws BodyBroken for everything else.
 */
export function parseMultipart(body: Buffer, boundary: string): FormData {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const form = new FormData()
  if (!body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) throw new BodyBroken()
  let at = delimiter.length - 2
  for (let parts = 0; parts <= PARTS_MAX; parts += 1) {
    const next = body.toString('latin1', at, at + 2)
    if (next === '--') return form
    const headersEnd = body.subarray(at, at + PART_HEADERS_MAX_BYTES).indexOf('\r\n\r\n')
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, at + headersEnd + 2)
    if (next !== '\r\n' || end < 0) throw new BodyBroken()
    addPart(
      form,
      body.toString('utf8', at + 2, at + headersEnd),
      body.subarray(Math.min(at + headersEnd + 4, end), end),
    )
    at = end + delimiter.length
  }
  throw new BodyBroken()
}

function addPart(form: FormData, headers: string, content: Buffer): void {
  const { name, filename } = dispositionOf(headers)
  if (name === undefined) throw new BodyBroken()
  if (filename !== undefined)
    form.append(name, new File([content as Uint8Array<ArrayBuffer>], filename))
  else if (content.length <= PART_TEXT_MAX_BYTES) form.append(name, wholeText(content))
  else throw new BodyBroken()
}

const PARAMETER = /;[ \t]*([\w*-]{1,40})=(?:"([^"]*)"|([^\s;"]+))[ \t]*/gy

function dispositionOf(headers: string): {
  readonly name?: string | undefined
  readonly filename?: string | undefined
} {
  const line =
    headers
      .split('\r\n')
      .find((header) => /^content-disposition:[ \t]*form-data[ \t]*;/i.test(header)) ?? ''
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = Math.max(0, line.indexOf(';'))
  for (const [, name = '', quoted, plain] of line.matchAll(PARAMETER))
    parameters.set(name.toLowerCase(), unescaped(quoted ?? plain ?? ''))
  return { name: parameters.get('name'), filename: parameters.get('filename') }
}

/** Browsers write these three in a name as percent-encoding, and nothing else (HTML §4.10.21.8). */
function unescaped(text: string): string {
  return text.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n')
}

function wholeText(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new BodyBroken()
  }
}
