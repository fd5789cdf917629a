import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'
import { cellsOf, separatorOf } from '../engine/lines.ts'
import { fingerprintOf } from '../commands.ts'
import { findKeys, listFormats, type ListedKey } from '../queries.ts'
import { columnsOf, type KeyFormat, type KeyParts } from '../rules.ts'

/**
 * Keys that a typed code is: as one of any brand, by its keyed hash alone. The search is written down, without what was searched for.
 */
export async function findByCode(ctx: OperatorCtx, text: string): Promise<ListedKey[]> {
  requirePermission(ctx, 'key.read')
  const formats = await listFormats(ctx.db)
  const fingerprints = formats.flatMap(({ brand, format }) =>
    waysToRead(text, format).map((parts) => fingerprintOf(ctx, { brand, format }, parts)),
  )
  const found = await findKeys(ctx.db, fingerprints)
  await transaction(ctx, (tx, now) =>
    recordAudit(tx, ctx, now, [
      {
        action: 'key_looked_up',
        subject: 'card_key',
        subjectCode: found[0]?.id ?? '',
        before: null,
        after: { found: found.length },
      },
    ]),
  )
  return found
}

/** The whole text as the part that tells one card from another, and as the cells of a line. */
function waysToRead(text: string, format: KeyFormat): KeyParts[] {
  const whole = text.trim()
  const names = format.parts.map(({ name }) => name)
  const main = names.includes('number') ? 'number' : names[0]
  const cells = cellsOf(whole, separatorOf(whole)).map((cell) => cell.trim())
  const { columns } = columnsOf([], format)
  const asLine = Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']))
  return [
    ...(main === undefined ? [] : [{ [main]: whole }]),
    ...(cells.length > 1 && cells.length <= columns.length ? [asLine] : []),
  ]
}
