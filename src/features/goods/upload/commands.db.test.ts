import { expect, test } from 'vitest'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../../../test/support/accounts.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import {
  eraseUpload,
  keepPicture,
  removeAvatar,
  setAvatar,
  removeLoosePictures,
} from './commands.ts'
import { uploadAvatar } from './flows.ts'
import { readPicture } from './pipeline/read-picture.ts'
import { exportUpload, findAvatar } from './queries.ts'

const database = useDatabase()
const picture = (text: string) => ({ content: Buffer.from(text), width: 320, height: 320 })
const avatarOf = async (accountId: string) =>
  (
    await database.ctx.db
      .selectFrom('account')
      .select('avatar')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).avatar

test('a new avatar takes the place of the old one, which is gone', async () => {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const first = await setAvatar(ctx, accountId, picture('first'))
  const second = await setAvatar(ctx, accountId, picture('second'))
  expect(await findAvatar(ctx.db, first)).toBeNull()
  expect((await findAvatar(ctx.db, second))?.toString()).toBe('second')
  expect(await exportUpload(ctx.db, accountId)).toEqual([
    {
      address: `/img/upload/${second}.webp`,
      purpose: 'avatar',
      width: 320,
      height: 320,
      sent_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
  await removeAvatar(ctx, accountId)
  expect([await findAvatar(ctx.db, second), await avatarOf(accountId)]).toEqual([null, null])
  await removeAvatar(ctx, accountId)
})

test('of thirty sent at the same moment one stays', async () => {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      setAvatar(ctx, accountId, picture(`picture ${index}`)),
    ),
  )
  const rows = await ctx.db
    .selectFrom('uploaded_picture')
    .select('id')
    .where('account_id', '=', accountId)
    .execute()
  expect(rows.map((row) => row.id)).toEqual([await avatarOf(accountId)])
})

test('an account that is leaving takes no picture', async () => {
  const { ctx } = database
  const accountId = await addAccount(ctx, { status: 'cancelling' })
  await expect(setAvatar(ctx, accountId, picture('late'))).rejects.toMatchObject({
    code: 'unauthorised',
  })
  await expect(removeAvatar(ctx, accountId)).rejects.toMatchObject({ code: 'unauthorised' })
})

test('the picture of a ticket is shown to nobody by its address and stays when the avatar changes', async () => {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { publicId } = await transaction(ctx, (tx) =>
    keepPicture(tx, ctx, { accountId, purpose: 'ticket', picture: picture('bill') }),
  )
  await setAvatar(ctx, accountId, picture('face'))
  expect(await findAvatar(ctx.db, publicId)).toBeNull()
  expect(await exportUpload(ctx.db, accountId)).toHaveLength(2)
  await transaction(ctx, (tx) => eraseUpload(tx, accountId))
  expect([await exportUpload(ctx.db, accountId), await avatarOf(accountId)]).toEqual([[], null])
})

test('200 files an account a day, good or bad', async () => {
  const { ctx } = database
  const [accountId, other] = [await addAccount(ctx), await addAccount(ctx)]
  const send = (who: string) =>
    uploadAvatar(ctx, who, Buffer.from('no picture'), readPicture).then(
      () => 'taken',
      (error: { code: string }) => error.code,
    )
  const answers = await Promise.all(Array.from({ length: 205 }, () => send(accountId)))
  expect(answers.filter((answer) => answer === 'upload_format')).toHaveLength(200)
  expect(answers.filter((answer) => answer === 'too_many_requests')).toHaveLength(5)
  expect(await send(other)).toBe('upload_format')
})

test('a picture that was sent for a question waits a day for it', async () => {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const kept = await transaction(ctx, (tx) =>
    keepPicture(tx, ctx, { accountId, purpose: 'ticket', picture: picture('bill') }),
  )
  await setAvatar(ctx, accountId, picture('face'))
  const ids = async () =>
    (
      await ctx.db
        .selectFrom('uploaded_picture')
        .select('id')
        .where('account_id', '=', accountId)
        .execute()
    ).map(({ id }) => id)
  await removeLoosePictures(ctx, new Date(Date.now() - 60_000))
  expect(await ids()).toContain(kept.id)
  await removeLoosePictures(ctx, new Date(Date.now() + 60_000))
  expect(await ids()).toEqual([await avatarOf(accountId)])
})
