import { searchAudit, type AuditLine } from '#features/base/audit/queries.ts'
import { faultOf } from '#features/base/setting/rules.ts'
import type { Db } from '#platform/db.ts'
import type { SettingField } from '../engine/fields.ts'
import { SETTING_FIELDS } from '../engine/fields.ts'
import { versionOf } from '../engine/version.ts'
import { partOf } from '../rules.ts'
import { SETTINGS } from '../schema.ts'
import { readRows } from './rows.ts'

/** A part of a setting as it stands, with what it was. */
export interface SettingForm {
  readonly field: SettingField
  /** As it is written; null where it is not set, and for what nobody is shown. */
  readonly value: unknown
  readonly isSet: boolean
  readonly version: string
  /** Who changed it last, as far back as is looked. */
  readonly changed: { readonly by: string; readonly at: Date } | null
  /** What it was, newest first, each once; null for its default. */
  readonly former: readonly Former[]
}

interface Former {
  readonly value: unknown
  readonly until: Date
  readonly by: string
}

export interface SettingState {
  readonly key: string
  readonly isTold: boolean
  /** Why its row does not hold; null where it does. */
  readonly fault: string | null
  readonly forms: readonly SettingForm[]
}

/** Changes that are looked through for who, when and what before. */
const LOOKED_AT = 500
const FORMER_MOST = 5

/** All settings as forms show them. */
export async function readSettingForms(db: Db): Promise<readonly SettingState[]> {
  const [rowOf, changes] = await Promise.all([
    readRows(db),
    searchAudit(db, { subject: 'setting' }, null, LOOKED_AT),
  ])
  return SETTINGS.map((setting) => {
    const row = rowOf.get(setting.key)
    const parsed = row === undefined ? null : setting.schema.safeParse(row)
    return {
      key: setting.key,
      isTold: setting.isTold === true,
      fault: parsed && !parsed.success ? faultOf(parsed.error) : null,
      forms: SETTING_FIELDS.filter(({ key }) => key === setting.key).map((field) =>
        formOf(field, row, changes.lines),
      ),
    }
  })
}

function formOf(field: SettingField, row: unknown, lines: readonly AuditLine[]): SettingForm {
  const value = partOf(row, field.part)
  const isSecret = field.kind === 'secret'
  const former = isSecret ? [] : formerOf(field, lines)
  const [last] = former
  return {
    field,
    value: isSecret ? null : (value ?? null),
    isSet: value !== undefined,
    version: versionOf(value),
    changed: last ? { by: last.by, at: last.until } : null,
    former: distinct(former, value).slice(0, FORMER_MOST),
  }
}

function formerOf({ key, path, part }: SettingField, lines: readonly AuditLine[]): Former[] {
  return lines.flatMap(({ subjectCode, before, after, actor, at }) => {
    if (subjectCode !== key && subjectCode !== path) return []
    const [was, is] = [before, after].map((side) => partOf(partOf(side, 'value'), part) ?? null)
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ value: was, until: at, by: actor }]
  })
}

/** Each value once, and not the one that holds. */
function distinct(former: readonly Former[], present: unknown): readonly Former[] {
  const seen = new Set([JSON.stringify(present ?? null)])
  return former.filter(({ value }) => {
    const text = JSON.stringify(value)
    return !seen.has(text) && seen.add(text)
  })
}
