import { recordAudit } from '#features/base/audit/commands.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { auditOfRename, writeRenames, type Rename } from '../rows/renames.ts'

/**
 * Gives goods another code, as an import whose redirects say so, and leads the former one there. The transaction has taken its turn by
 * `takeTurnOfImports`, and has seen that the code is free.
 */
export async function renameGoods(tx: Tx, ctx: Ctx, now: Date, rename: Rename): Promise<void> {
  const { kind, from, to } = rename
  const codesOf = (table: 'brand' | 'game') =>
    tx.selectFrom(table).select('code').where('code', '=', from).execute()
  await writeRenames(tx, [rename], { brand: await codesOf('brand'), game: await codesOf('game') })
  await tx
    .insertInto('code_redirect')
    .values({ kind, old_code: from, new_code: to })
    .onConflict((conflict) => conflict.columns(['kind', 'old_code']).doUpdateSet({ new_code: to }))
    .execute()
  await recordAudit(tx, ctx, now, [auditOfRename(rename)])
}
