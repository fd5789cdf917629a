import { recordAudit } from '#features/base/audit/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { AppError } from '#kernel/error.ts'
import type { Tx } from '#platform/ctx.ts'

/** A denomination of a supplier's list. */
export interface Named {
  readonly supplier: string
  readonly product: string
  readonly face: string
}

export const textOf = ({ supplier, product, face }: Named) =>
  `${supplier} ${product} ${face}`.trim()

/** Throws 'not_found'. */
export async function lockListing(tx: Tx, { supplier, product, face }: Named) {
  const row = await tx
    .selectFrom('supplier_product')
    .selectAll()
    .where('supplier', '=', supplier)
    .where('product', '=', product)
    .where('face', '=', face)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

export async function audit(
  tx: Tx,
  ctx: OperatorCtx,
  now: Date,
  action: string,
  code: string,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(tx, ctx, now, [
    { action, subject: 'supplier_product', subjectCode: code, before: null, after },
  ])
}

export async function update(
  tx: Tx,
  { supplier, product, face }: Named,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx
    .updateTable('supplier_product')
    .set(values)
    .where('supplier', '=', supplier)
    .where('product', '=', product)
    .where('face', '=', face)
    .execute()
}
