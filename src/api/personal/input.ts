import type { z } from 'zod'
import { AppError, type FieldProblem, type FieldReason } from '#kernel/error.ts'

type Issue = z.core.$ZodIssue

/** Checks what was sent against a call's shape. Throws AppError `invalid_input` naming every field at fault. */
export function readInput<Shape extends z.ZodType>(shape: Shape, input: unknown): z.output<Shape> {
  assertWholeText(input)
  const read = shape.safeParse(input)
  if (read.success) return read.data
  const fields = read.error.issues.flatMap((issue) => problemsOf(issue, input))
  throw new AppError('invalid_input', {}, { fields: fields.slice(0, FIELDS_MAX) })
}

/** Throws AppError `invalid_input` naming the first text that no database holds. */
export function assertWholeText(input: unknown): void {
  const broken = findBrokenText(input)
  if (broken !== null)
    throw new AppError(
      'invalid_input',
      {},
      { fields: [{ field: broken.slice(0, NAME_MAX) || 'body', reason: 'not_allowed' }] },
    )
}

/** A read call's query as an object. What is no text to the database counts as not given: reading falls back to its defaults. */
export function readQuery(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...params].filter(([name, value]) => isStorable(name) && isStorable(value)),
  )
}

/**
 * The path of the first text PostgreSQL cannot hold: with U+0000, or with half of a surrogate pair. No call has a use for either, and a
 * shape that forgets to say so would let the database be the one to refuse it.
 */
function findBrokenText(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path
  // Bytes are no text, however many there are.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null
  for (const [key, member] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    const broken = findBrokenText(key, path) ?? findBrokenText(member, at)
    if (broken !== null) return broken
  }
  return null
}

const FIELDS_MAX = 50
const NAME_MAX = 100

function problemsOf(issue: Issue, input: unknown): FieldProblem[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: (path === '' ? key : `${path}.${key}`).slice(0, NAME_MAX),
      reason: 'unknown_field' as const,
    }))
  if (issue.code === 'too_big' && issue.origin === 'string')
    return [{ field: path, reason: 'too_long', params: { max: Number(issue.maximum) } }]
  return [
    { field: path === '' ? 'body' : path, reason: reasonOf(issue, valueAt(input, issue.path)) },
  ]
}

function reasonOf(issue: Issue, value: unknown): FieldReason {
  if (value === undefined || value === null || value === '') return 'required'
  return issue.code === 'invalid_type' || issue.code === 'invalid_union'
    ? 'wrong_type'
    : 'not_allowed'
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  )
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
