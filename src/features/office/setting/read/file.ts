import { isDeepStrictEqual } from 'node:util'
import { hasRate } from '#features/base/shop/queries.ts'
import { shopCurrencySetting } from '#features/base/shop/schema.ts'
import type { Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { fileOf, readFile, type FileChange, type FileFault, type ReadFile } from '../engine/file.ts'
import { versionOf } from '../engine/version.ts'
import { readRows } from './rows.ts'

/** All settings as one text, without what is secret. */
export async function settingsFile(db: Db): Promise<string> {
  return fileOf(await readRows(db))
}

/** What a file would do: every change, every fault, and a version that holds as long as the settings are these. */
interface TriedFile extends ReadFile {
  readonly version: string
}

/** @param isTerminal there settings that take two people in the console may be imported; owners are told */
export async function tryFile(db: Db | Tx, text: string, isTerminal: boolean): Promise<TriedFile> {
  const rows = await readRows(db)
  const read = readFile(text, rows)
  const changed = read.changes.filter(({ before, after }) => !isDeepStrictEqual(before, after))
  const faults = (
    await Promise.all(changed.map((change) => outsideFault(db, change, isTerminal)))
  ).filter((fault) => fault !== null)
  return {
    changes: changed,
    faults: [...read.faults, ...faults].toSorted((one, other) => one.line - other.line),
    version: versionOf([...rows]),
  }
}

async function outsideFault(
  db: Db | Tx,
  { setting, after, line }: FileChange,
  isTerminal: boolean,
): Promise<FileFault | null> {
  const { key } = setting
  if (setting.isTold && !isTerminal)
    return { line, kind: 'elsewhere', key, text: 'it is changed by itself, in its own place' }
  if (key === shopCurrencySetting.key && after !== undefined && !(await hasRate(db, String(after))))
    return {
      line,
      kind: 'value',
      key,
      text: `the shop has no currency ${String(after)} with a rate`,
    }
  return null
}
