import { StatementFault } from './statement.ts'

/**
 * A file as text: by its mark (UTF-8, UTF-16), by what an XML declares, else as UTF-8, and where it is none as Windows-1252, in which
 * banks write. Throws StatementFault for what is no text at all.
 */
export function decodeStatement(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new StatementFault('empty')
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  // Archives, pictures, PDF and spreadsheets hold bytes that no text holds.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells them
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) || text.startsWith('%PDF-'))
    throw new StatementFault('not_text')
  if (text.trim() === '') throw new StatementFault('empty')
  return text
}

const DECLARED = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/
const KNOWN = /^(?:utf-8|us-ascii|iso-8859-1|iso-8859-15|windows-1252)$/i

function encodingOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  const declared = DECLARED.exec(Buffer.from(bytes.subarray(0, 300)).toString('latin1'))?.[1]
  if (declared !== undefined && KNOWN.test(declared) && !/^utf-8$/i.test(declared)) return declared
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
