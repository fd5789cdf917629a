import { sql } from 'kysely'
import { AppError } from '#kernel/error.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { newPublicId } from '#platform/secrets.ts'
import { NOTICE_DAYS_MAX, NOTICES_MAX, type NoticeContent } from './rules.ts'

type Writing = Pick<Ctx, 'now' | 'newId' | 'random'>

/** Tells a person something, in the transaction of what it tells of. */
export async function postNotice(
  tx: Tx,
  ctx: Writing,
  notice: NoticeContent & { readonly accountId: string },
): Promise<void> {
  await postNotices(tx, ctx, [notice])
}

export async function postNotices(
  tx: Tx,
  ctx: Writing,
  notices: readonly (NoticeContent & { readonly accountId: string })[],
): Promise<void> {
  if (notices.length === 0) return
  const now = ctx.now()
  await tx
    .insertInto('notice')
    .values(
      notices.map(({ accountId, kind, params }) => ({
        id: ctx.newId(),
        public_id: newPublicId(ctx),
        account_id: accountId,
        kind,
        params: JSON.stringify(params),
        created_at: now,
      })),
    )
    .execute()
}

/** Marks a notice as read; once read it keeps its moment. Throws 'not_found' for what is not this account's. */
export async function readNotice(
  ctx: Pick<Ctx, 'db' | 'now'>,
  accountId: string,
  publicId: string,
): Promise<void> {
  if (!PUBLIC_ID.test(publicId)) throw new AppError('not_found')
  const read = await ctx.db
    .updateTable('notice')
    .set((row) => ({ read_at: row.fn.coalesce('read_at', row.val(ctx.now())) }))
    .where('account_id', '=', accountId)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (read.numUpdatedRows === 0n) throw new AppError('not_found')
}

export async function readAllNotices(
  ctx: Pick<Ctx, 'db' | 'now'>,
  accountId: string,
): Promise<void> {
  await ctx.db
    .updateTable('notice')
    .set({ read_at: ctx.now() })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .execute()
}

/** Forgets notices older than a year, and of each account all but the newest 500. */
export async function forgetOldNotices(ctx: {
  readonly db: Db
  readonly now: () => Date
}): Promise<void> {
  const oldest = new Date(ctx.now().getTime() - NOTICE_DAYS_MAX * 86_400_000)
  await ctx.db.deleteFrom('notice').where('created_at', '<', oldest).execute()
  await sql`delete from notice using (
      select id, row_number() over (partition by account_id order by created_at desc, id desc) as place from notice
    ) as placed where notice.id = placed.id and placed.place > ${NOTICES_MAX}`.execute(ctx.db)
}

/** Part of erasing a person. */
export async function eraseNotice(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('notice').where('account_id', '=', accountId).execute()
}
