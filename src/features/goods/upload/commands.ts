import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { newPublicId } from '#platform/secrets.ts'
import type { ReadPicture, UploadPurpose } from './rules.ts'

/** Keeps a picture. @returns its ids */
export async function keepPicture(
  tx: Tx,
  ctx: Ctx,
  {
    accountId,
    purpose,
    picture,
  }: {
    readonly accountId: string
    readonly purpose: Exclude<UploadPurpose, 'shop'>
    readonly picture: ReadPicture
  },
): Promise<{ id: string; publicId: string }> {
  const id = ctx.newId()
  const publicId = newPublicId(ctx)
  await tx
    .insertInto('uploaded_picture')
    .values({
      id,
      public_id: publicId,
      account_id: accountId,
      purpose,
      ...picture,
      created_at: ctx.now(),
    })
    .execute()
  return { id, publicId }
}

/** Shows the picture for the account from now on, in place of the one before. @returns its public id */
export async function setAvatar(
  ctx: Ctx,
  accountId: string,
  picture: ReadPicture,
): Promise<string> {
  return transaction(ctx, async (tx) => {
    await lockActive(tx, accountId)
    const { id, publicId } = await keepPicture(tx, ctx, { accountId, purpose: 'avatar', picture })
    await tx.updateTable('account').set({ avatar: id }).where('id', '=', accountId).execute()
    await tx
      .deleteFrom('uploaded_picture')
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'avatar')
      .where('id', '<>', id)
      .execute()
    return publicId
  })
}

/** Shows no picture any more; fine where none was. */
export async function removeAvatar(ctx: Ctx, accountId: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockActive(tx, accountId)
    await tx
      .deleteFrom('uploaded_picture')
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'avatar')
      .execute()
  })
}

/** Pictures sent for a question to the shop that was never asked, since `before`. Few at once: each is large. */
const PICTURES_AT_ONCE = 100

export async function removeLoosePictures({ db }: Pick<Ctx, 'db'>, before: Date): Promise<void> {
  for (let gone = 1n; gone > 0n; ) {
    const { numAffectedRows = 0n } = await sql`delete from uploaded_picture where id in (
      select id from uploaded_picture p where purpose = 'ticket' and created_at < ${before} and not exists (select from service_case c where c.picture = p.id) limit ${PICTURES_AT_ONCE})`.execute(
      db,
    )
    gone = numAffectedRows
  }
}

/** Every picture of the account. */
export async function eraseUpload(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('uploaded_picture').where('account_id', '=', accountId).execute()
}

/** Changes of one account's avatar happen one after the other, and none after it asked to leave. */
async function lockActive(tx: Tx, accountId: string): Promise<void> {
  const row = await tx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('unauthorised')
}

/** Keeps a picture that an operator has sent, by the hash of what is seen: sent twice, it is there once. It waits from now on for a picture that names it. */
export async function keepShopPicture(
  ctx: Ctx,
  { content, width, height }: ReadPicture,
): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex')
  await ctx.db
    .insertInto('shop_image')
    .values({ hash, content, width, height, sent_at: ctx.now() })
    .onConflict((known) => known.column('hash').doUpdateSet({ sent_at: ctx.now() }))
    .execute()
  return hash
}

/**
 * Pictures of operators that were sent before `before` and are not used: no picture of the catalogue names them, and no change of goods by which one
 * could come back.
 */
export async function removeLooseShopPictures(
  { db }: Pick<Ctx, 'db'>,
  before: Date,
): Promise<void> {
  for (let gone = 1n; gone > 0n; ) {
    const { numAffectedRows = 0n } = await sql`delete from shop_image where hash in (
      select i.hash from shop_image i cross join lateral (select 'sent/' || i.hash || '.webp' as file) named
      where i.sent_at < ${before}
        and not exists (select from picture p where p.path = named.file)
        and not exists (select from goods_change_row r where r.field = 'picture' and named.file in (r.before ->> 'file', r.after ->> 'file'))
      order by i.hash limit ${PICTURES_AT_ONCE} for update skip locked)`.execute(db)
    gone = numAffectedRows
  }
}
