import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { faultOf, type Setting } from './rules.ts'

export interface StoredSetting<T> {
  readonly value: T
  /** Why the row that is there does not hold; null where it does, or there is none. */
  readonly fault: string | null
  readonly isSet: boolean
}

export async function readStored<T>(db: Db | Tx, setting: Setting<T>): Promise<StoredSetting<T>> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', setting.key)
    .executeTakeFirst()
  if (!row) return { value: setting.fallback, fault: null, isSet: false }
  const parsed = setting.schema.safeParse(row.value)
  return parsed.success
    ? { value: parsed.data, fault: null, isSet: true }
    : { value: setting.fallback, fault: faultOf(parsed.error), isSet: true }
}

/** A setting of a row that another statement has read along. */
export function settingOf<T>(setting: Setting<T>, row: unknown): T {
  if (row === null || row === undefined) return setting.fallback
  const parsed = setting.schema.safeParse(row)
  return parsed.success ? parsed.data : setting.fallback
}

/** A setting as it holds. One that cannot be read never stops anything: its default holds, and the log says so once. */
export async function readSetting<T>(db: Db | Tx, setting: Setting<T>): Promise<T> {
  const { value, fault } = await readStored(db, setting)
  if (told.get(setting.key) !== fault) tell(setting.key, fault)
  told.set(setting.key, fault)
  return value
}

/** What was last said of each setting in this process. */
const told = new Map<string, string | null>()
let tell: (key: string, fault: string | null) => void = () => {}

/** Where the process says that a setting cannot be read; wired once at its start. */
export function onSettingFault(say: (key: string, fault: string) => void): void {
  tell = (key, fault) => {
    if (fault !== null) say(key, fault)
  }
}
