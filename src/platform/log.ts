import type { LogLevel } from './config.ts'

export type LogFields = Readonly<Record<string, unknown>>

/** One line an event on standard error: JSON for machines, a short readable line when a person watches. */
export type Log = Readonly<{
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds these fields to each of its lines. */
  child(fields: LogFields): Log
}>

export type LogOptions = Readonly<{
  level: LogLevel
  fields?: LogFields
  pretty?: boolean
  write?: (line: string) => void
  now?: () => Date
}>

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }
const MASK = '***'
const MAX_DEPTH = 6
const MAX_TEXT = 16_384
const SECRET_KEY = /(?:token|password|passwd|secret|authorization|cookie|api[-_]?key|private[-_]?key)$/i
const SECRET_PARAMETER = /([?&;](?:[a-z_-]*(?:token|password|secret|api[-_]?key))=)[^&#\s"'<>]*/gi
const URL_PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/g

export function createLogger(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => process.stderr.write(line))
  const pretty = options.pretty ?? (options.write === undefined && process.stderr.isTTY)
  const now = options.now ?? (() => new Date())
  return loggerWith(options.fields ?? {})

  function loggerWith(base: LogFields): Log {
    const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
      if (RANK[level] < RANK[options.level]) return
      const all = redact({ ...base, ...fields }) as Record<string, unknown>
      write(pretty ? prettyLine(level, now(), redactText(message), all) : jsonLine(level, now(), redactText(message), all))
    }
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: (fields) => loggerWith({ ...base, ...fields }) }
  }
}

/** Makes any value safe and fit to print: secrets masked, errors and big integers spelled out, depth and length bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '…'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return redactText(value.href)
  if (value instanceof Error) return redactError(value, depth)
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
  if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1))
  if (value instanceof Map || value instanceof Headers) return redact(Object.fromEntries(value), depth)
  if (value instanceof Set) return redact([...value], depth)
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact(value.toJSON(), depth + 1)
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, SECRET_KEY.test(key) ? MASK : redact(entry, depth + 1)]))
}

export function redactText(text: string): string {
  const bounded = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
  return bounded.replace(SECRET_PARAMETER, `$1${MASK}`).replace(URL_PASSWORD, `$1${MASK}@`).replace(BEARER, `$1 ${MASK}`)
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause, ...own } = error
  return {
    ...(redact(own, depth + 1) as Record<string, unknown>),
    name: error.name,
    message: redactText(error.message),
    ...(error.stack ? { stack: redactText(error.stack) } : {}),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  }
}

function jsonLine(level: LogLevel, at: Date, message: string, fields: Record<string, unknown>): string {
  return `${JSON.stringify({ at: at.toISOString(), level, message, ...withoutReserved(fields) })}\n`
}

/** A field may not forge the line's own keys. */
function withoutReserved(fields: Record<string, unknown>): Record<string, unknown> {
  const { at, level, message, ...others } = fields
  return others
}

/** Line breaks are escaped so that one event stays one line, except in stacks, which follow indented. */
function prettyLine(level: LogLevel, at: Date, message: string, fields: Record<string, unknown>): string {
  const stacks: string[] = []
  const parts = Object.entries(fields).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (isErrorRecord(value)) {
      stacks.push(value.stack)
      return [`${key}=${JSON.stringify(value.message)}`]
    }
    return [`${key}=${typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)}`]
  })
  const line = [at.toISOString().slice(11, 23), level.toUpperCase().padEnd(5), message.replaceAll(/[\u0000-\u001f\u007f]/g, ' '), ...parts].join(' ')
  return [line, ...stacks.map((stack) => `  ${stack.replaceAll('\n', '\n  ')}`)].join('\n') + '\n'
}

function isErrorRecord(value: unknown): value is { message: string; stack: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string' && 'message' in value && typeof value.message === 'string'
}
