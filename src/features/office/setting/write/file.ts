import { hasRate } from '#features/base/shop/queries.ts'
import { shopCurrencySetting } from '#features/base/shop/schema.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { fileOf, readFile, type FileChange, type FileFault, type ReadFile } from '../engine/file.ts'
import { readRows } from '../queries.ts'
import { versionOf } from '../engine/version.ts'
import { replaceRow, takeTurn } from './row.ts'

/** All settings as one text, without what is secret. */
export async function exportSettings(ctx: OperatorCtx): Promise<string> {
  requirePermission(ctx, 'shop.manage')
  return fileOf(await readRows(ctx.db))
}

/** What a file would do: every change, every fault, and a version that holds as long as the settings are these. */
export interface TriedFile extends ReadFile {
  readonly version: string
}

/** @param isTerminal there settings that take two people in the console may be imported; owners are told */
export async function tryFile(db: Db | Tx, text: string, isTerminal: boolean): Promise<TriedFile> {
  const rows = await readRows(db)
  const read = readFile(text, rows)
  const changed = read.changes.filter(
    ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
  )
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

/**
 * Takes a file in: all of it, or nothing where anything is wrong. Throws 'changed_meanwhile' where the settings are not those that it was tried
 * against. @returns how many it changed
 */
export async function importSettings(
  ctx: OperatorCtx,
  { text, version, isTerminal }: { text: string; version: string | null; isTerminal: boolean },
): Promise<number> {
  requirePermission(ctx, 'shop.manage')
  return transaction(ctx, async (tx, now) => {
    await takeTurn(tx)
    const tried = await tryFile(tx, text, isTerminal)
    if (tried.faults.length > 0 || (version !== null && version !== tried.version))
      throw new AppError('changed_meanwhile')
    for (const { setting, before, after } of tried.changes)
      await replaceRow(tx, ctx, now, { setting, path: setting.key, before, after })
    if (tried.changes.some(({ setting }) => setting.isTold)) await tellOfAlone(tx, ctx, now)
    return tried.changes.length
  })
}
