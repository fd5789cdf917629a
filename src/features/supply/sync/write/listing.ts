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

/** What items of the shop are called, by their ids. */
export async function codesOf(tx: Tx, items: readonly string[]): Promise<string[]> {
  if (items.length === 0) return []
  const rows = await tx.selectFrom('item').select('code').where('id', 'in', items).execute()
  return rows.map(({ code }) => code)
}

/** The items that listings are. */
export async function codesListed(tx: Tx, listings: readonly Named[]): Promise<string[]> {
  const rows = await Promise.all(
    listings.map((named) =>
      tx
        .selectFrom('supplier_product')
        .select('item')
        .where('supplier', '=', named.supplier)
        .where('product', '=', named.product)
        .where('face', '=', named.face)
        .executeTakeFirst(),
    ),
  )
  return codesOf(
    tx,
    rows.flatMap((row) => row?.item ?? []),
  )
}
