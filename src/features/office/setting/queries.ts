import { readStored } from '#features/base/setting/queries.ts'
import { concealed, type Setting } from '#features/base/setting/rules.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { SETTINGS } from './schema.ts'

export { settingsFile, tryFile } from './read/file.ts'
export { readSettingForms, type SettingForm, type SettingState } from './read/forms.ts'

export interface ListedSetting {
  readonly key: string
  readonly summary: string
  /** As it is written; undefined while nobody has set it. */
  readonly row: unknown
  /** Why it does not hold. */
  readonly fault: string | null
}

export const findSetting = (key: string): Setting<unknown> | undefined =>
  SETTINGS.find((setting) => setting.key === key)

/** As it is written; undefined for none. */
export async function readRow(db: Db | Tx, key: string): Promise<unknown> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

export async function listSettings(db: Db): Promise<ListedSetting[]> {
  const listed: ListedSetting[] = []
  for (const setting of SETTINGS) {
    const { fault } = await readStored(db, setting)
    listed.push({
      key: setting.key,
      summary: setting.summary,
      row: concealed(setting, await readRow(db, setting.key)),
      fault,
    })
  }
  return listed
}

/** Settings that are there and do not hold, one sentence each. */
export async function listBrokenSettings(db: Db): Promise<string[]> {
  return (await listSettings(db)).flatMap(({ key, fault }) =>
    fault === null ? [] : [`the setting ${key} cannot be read (${fault})`],
  )
}
