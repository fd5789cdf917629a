import { faultOf, type Setting } from '#features/base/setting/rules.ts'
import { SETTINGS } from '../schema.ts'
import { readLines, type LinesOf } from './file-lines.ts'

/** What the first line of a file of settings says. */
export const FILE_FORMAT = 'lukado-settings/1'
/** As long as such a file may be where it is sent as a call: calls take no more. */
export const FILE_MOST = 60_000

/** What a file says of one setting, held against what is there. */
export interface FileChange {
  readonly setting: Setting<unknown>
  readonly line: number
  /** As they are written, with what is secret kept as it is; undefined for the default. */
  readonly before: unknown
  readonly after: unknown
}

/** What is wrong with a file, and where. Words are for programs and terminals; a page has its own for each kind. */
export interface FileFault {
  readonly line: number
  readonly kind: 'json' | 'format' | 'unknown' | 'value' | 'elsewhere'
  /** Which setting it is about; empty for the file itself. */
  readonly key: string
  readonly text: string
}

export interface ReadFile {
  readonly changes: readonly FileChange[]
  readonly faults: readonly FileFault[]
}

/** Every setting that is set, without what is secret, as one text. */
export function fileOf(rowOf: ReadonlyMap<string, unknown>): string {
  const settings = Object.fromEntries(
    SETTINGS.flatMap((setting) => {
      const row = rowOf.get(setting.key)
      return row === undefined ? [] : [[setting.key, withoutSecrets(setting, row)]]
    }),
  )
  return `${JSON.stringify({ format: FILE_FORMAT, settings }, null, 2)}\n`
}

function withoutSecrets({ secretParts = [] }: Setting<unknown>, row: unknown): unknown {
  if (!isObject(row)) return row
  return Object.fromEntries(Object.entries(row).filter(([part]) => !secretParts.includes(part)))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a file would change, and everything that is wrong with it. Settings that it does not name stay as they are; null takes one away. */
export function readFile(text: string, rowOf: ReadonlyMap<string, unknown>): ReadFile {
  const fault = (line: number, kind: FileFault['kind'], key = '', words = ''): ReadFile => ({
    changes: [],
    faults: [{ line, kind, key, text: words }],
  })
  const lines = readLines(text)
  if ('line' in lines) return fault(lines.line, 'json', '', 'this is no JSON from here on')
  const file: unknown = JSON.parse(text)
  if (!isObject(file) || file['format'] !== FILE_FORMAT || !isObject(file['settings']))
    return fault(
      lines.get('format') ?? 1,
      'format',
      '',
      `this is no file of settings (${FILE_FORMAT})`,
    )
  const read = Object.entries(file['settings']).map(([key, row]) => readOne(key, row, lines, rowOf))
  return {
    changes: read.flatMap((one) => ('after' in one ? [one] : [])),
    faults: read.flatMap((one) => ('kind' in one ? [one] : [])),
  }
}

function readOne(
  key: string,
  row: unknown,
  lines: LinesOf,
  rowOf: ReadonlyMap<string, unknown>,
): FileChange | FileFault {
  const path = `settings.${key}`
  const line = lines.get(path) ?? 1
  const setting = SETTINGS.find((known) => known.key === key)
  if (!setting) return { line, kind: 'unknown', key, text: 'there is no such setting' }
  const before = rowOf.get(key)
  const after = row === null ? undefined : withSecretsOf(setting, before, row)
  const parsed = after === undefined ? null : setting.schema.safeParse(after)
  if (!parsed || parsed.success) return { setting, line, before, after }
  const [issue] = parsed.error.issues
  const at = [path, ...(issue?.path ?? []).map(String)].join('.')
  return { line: lineOf(lines, at), kind: 'value', key, text: faultOf(parsed.error) }
}

/** The nearest that the file has of a path. */
function lineOf(lines: LinesOf, path: string): number {
  const line = lines.get(path)
  if (line !== undefined || !path.includes('.')) return line ?? 1
  return lineOf(lines, path.slice(0, path.lastIndexOf('.')))
}

/** A file says no secret: those that are there stay. */
function withSecretsOf(
  { secretParts = [] }: Setting<unknown>,
  before: unknown,
  row: unknown,
): unknown {
  if (!isObject(row) || !isObject(before)) return row
  const kept = secretParts.filter((part) => part in before && !(part in row))
  return { ...row, ...Object.fromEntries(kept.map((part) => [part, before[part]])) }
}
