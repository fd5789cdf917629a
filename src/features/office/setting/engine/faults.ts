import type { z } from 'zod'
import { CONTRAST } from '#features/base/theme/schema.ts'
import type { FieldProblem } from '#kernel/error.ts'
import type { SettingField } from './fields.ts'

type Issue = z.core.$ZodIssue

/** What is wrong with a row, each thing at the field that it is typed in, for whoever sees a form. */
export function problemsOf(
  fields: readonly SettingField[],
  row: unknown,
  error: z.ZodError,
): readonly FieldProblem[] {
  return error.issues.map((issue) => problemOf(fields, row, issue))
}

function problemOf(fields: readonly SettingField[], row: unknown, issue: Issue): FieldProblem {
  const [first, ...rest] = issue.path
  const field = fields.find(({ part }) => part === null || part === first)
  if (!field) return aboutWhole(fields, issue)
  const place = field.part === null ? issue.path : rest
  // A list is typed row by row, and each cell has its own place.
  if (place.length > 0 && (field.kind === 'rows' || field.kind === 'cells'))
    return { field: `${field.path}.${place.map(String).join('.')}`, ...reasonOf(issue, undefined) }
  if (place.length > 0)
    return { field: field.path, reason: 'value_at', params: { place: place.map(String).join('.') } }
  return { field: field.path, ...reasonOf(issue, field, valueAt(row, issue.path)) }
}

/** Rules that hold between the parts of one setting. */
function aboutWhole(fields: readonly SettingField[], issue: Issue): FieldProblem {
  if (issue.code === 'unrecognized_keys')
    return { field: fields[0]?.key ?? 'body', reason: 'unknown_field' }
  const named = fields.find(({ part }) => part !== null && issue.message?.includes(part))
  const field = named ?? fields[0]
  const secret = fields.find(({ kind }) => kind === 'secret')
  if (secret && issue.message?.includes(secret.part ?? ''))
    return { field: secret.path, reason: 'required' }
  return { field: field?.path ?? 'body', reason: named ? 'not_together' : 'not_allowed' }
}

type Reason = Omit<FieldProblem, 'field'>

function reasonOf(issue: Issue, field: SettingField | undefined, value?: unknown): Reason {
  const contrast = contrastOf(issue)
  if (contrast) return contrast
  if (field && (value === undefined || value === '')) return { reason: 'required' }
  if (field?.kind === 'hours') return { reason: 'hours_format' }
  if (field && isRange(field)) return rangeOf(field)
  if (issue.code === 'too_big' && issue.origin === 'string')
    return { reason: 'too_long', params: { max: Number(issue.maximum) } }
  if (issue.code === 'invalid_format' && issue.format === 'email') return { reason: 'email_format' }
  if (issue.code === 'too_small' && issue.origin === 'string') return { reason: 'required' }
  return { reason: issue.code === 'invalid_type' ? 'wrong_type' : 'not_allowed' }
}

/** Two colours that cannot be told apart, with the one that it is not typed at. */
function contrastOf(issue: Issue): Reason | null {
  const { reason, other, ratio, least } =
    (issue as { params?: Record<string, unknown> }).params ?? {}
  return reason === CONTRAST
    ? {
        reason: 'contrast',
        params: { other: String(other), ratio: Number(ratio), least: Number(least) },
      }
    : null
}

const isRange = ({ kind, least, most }: SettingField) =>
  ['number', 'percent', 'usd'].includes(kind) && least !== null && most !== null

/** In the unit that it is typed in. */
function rangeOf({ kind, least, most }: SettingField): Reason {
  const share = kind === 'number' ? 1 : 100
  return {
    reason: 'number_between',
    params: { min: (least ?? 0) / share, max: (most ?? 0) / share },
  }
}

function valueAt(row: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    row,
  )
}
