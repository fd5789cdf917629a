import type { LogLevel } from './config.ts'
import { redact, redactText } from './redaction.ts'
import { currentRequest } from './request-scope.ts'

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
export function createLogger(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => process.stderr.write(line))
  const pretty = options.pretty ?? (options.write === undefined && process.stderr.isTTY)
  const now = options.now ?? (() => new Date())
  return loggerWith(options.fields ?? {})

  function loggerWith(base: LogFields): Log {
    const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
      if (RANK[level] < RANK[options.level]) return
      const all = redact({ ...requestField(), ...base, ...fields }) as Record<string, unknown>
      write(
        pretty
          ? prettyLine(level, now(), redactText(message), all)
          : jsonLine(level, now(), redactText(message), all),
      )
    }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => loggerWith({ ...base, ...fields }),
    }
  }
}

/** Every line that a request leads to, in whatever process, can be found by its id. */
function requestField(): LogFields {
  const scope = currentRequest()
  return scope ? { request: scope.id } : {}
}

function jsonLine(
  level: LogLevel,
  at: Date,
  message: string,
  fields: Record<string, unknown>,
): string {
  return `${JSON.stringify({ at: at.toISOString(), level, message, ...withoutReserved(fields) })}\n`
}

/** A field may not forge the line's own keys. */
function withoutReserved(fields: Record<string, unknown>): Record<string, unknown> {
  const { at, level, message, ...others } = fields
  return others
}

/** Line breaks are escaped so that one event stays one line, except in stacks, which follow indented. */
function prettyLine(
  level: LogLevel,
  at: Date,
  message: string,
  fields: Record<string, unknown>,
): string {
  const stacks: string[] = []
  const parts = Object.entries(fields).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (isErrorRecord(value)) {
      stacks.push(value.stack)
      return [`${key}=${JSON.stringify(value.message)}`]
    }
    return [
      `${key}=${typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)}`,
    ]
  })
  const line = [
    at.toISOString().slice(11, 23),
    level.toUpperCase().padEnd(5),
    message.replaceAll(/[\u0000-\u001f\u007f]/g, ' '),
    ...parts,
  ].join(' ')
  return [line, ...stacks.map((stack) => `  ${stack.replaceAll('\n', '\n  ')}`)].join('\n') + '\n'
}

function isErrorRecord(value: unknown): value is { message: string; stack: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'stack' in value &&
    typeof value.stack === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}
