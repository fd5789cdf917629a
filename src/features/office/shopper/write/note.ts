import { recordAct } from '#features/base/audit/commands.ts'
import { lockShopper } from '#features/people/account/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'

/** What colleagues are to know of a shopper. The audit says that something was noted, not what. Throws 'not_found'. @returns its public id */
export async function addShopperNote(
  ctx: OperatorCtx,
  { shopper, text }: { readonly shopper: string; readonly text: string },
): Promise<string> {
  requirePermission(ctx, 'shopper.change')
  return transaction(ctx, async (tx) => {
    const { id } = await lockShopper(tx, shopper)
    return writeNote(tx, ctx, id, text)
  })
}

/** A note about an account that is locked. */
export async function writeNote(
  tx: Tx,
  ctx: OperatorCtx,
  accountId: string,
  text: string,
): Promise<string> {
  const publicId = newPublicId(ctx)
  await tx
    .insertInto('shopper_note')
    .values({
      id: ctx.newId(),
      public_id: publicId,
      account_id: accountId,
      author: ctx.operator.name,
      text,
      created_at: ctx.now(),
    })
    .execute()
  await recordAct(tx, ctx, {
    action: 'shopper_noted',
    subject: 'account',
    subjectCode: accountId,
    after: { note: publicId },
  })
  return publicId
}

/** Takes one away, whoever wrote it. Throws 'not_found' for what is not there, or no longer. */
export async function removeShopperNote(ctx: OperatorCtx, note: string): Promise<void> {
  requirePermission(ctx, 'shopper.change')
  await transaction(ctx, async (tx) => {
    const gone = await tx
      .deleteFrom('shopper_note')
      .where('public_id', '=', note)
      .returning(['account_id', 'author'])
      .executeTakeFirst()
    if (!gone) throw new AppError('not_found')
    await recordAct(tx, ctx, {
      action: 'shopper_note_removed',
      subject: 'account',
      subjectCode: gone.account_id,
      after: { note, author: gone.author },
    })
  })
}

/** Part of erasing a person. */
export async function eraseShopperNote(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('shopper_note').where('account_id', '=', accountId).execute()
}
