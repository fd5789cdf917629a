import sharp from 'sharp'
import { expect, test } from 'vitest'
import { keepPicture, setAvatar } from '#features/goods/upload/commands.ts'
import { readPicture } from '#features/goods/upload/pipeline/read-picture.ts'
import { uploadAddress } from '#features/goods/upload/rules.ts'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { useDatabase } from '../../test/support/database.ts'
import { uploadAnswer } from './uploads.ts'

const database = useDatabase()
const sent = () =>
  sharp({ create: { width: 500, height: 400, channels: 3, background: '#306090' } })
    .jpeg()
    .toBuffer()

test('an avatar is shown as a picture and as nothing else', async () => {
  const { ctx } = database
  const bytes = await sent()
  const publicId = await setAvatar(ctx, await addAccount(ctx), await readPicture(bytes, 'avatar'))
  const answer = await uploadAnswer(ctx, uploadAddress(publicId))
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  })
  const shown = Buffer.from(await answer.arrayBuffer())
  expect(shown.equals(bytes)).toBe(false)
  expect(await sharp(shown).metadata()).toMatchObject({ format: 'webp', width: 320, height: 320 })
})

test('pictures of tickets, unknown ids and other addresses show nothing', async () => {
  const { ctx } = database
  const picture = await readPicture(await sent(), 'ticket')
  const accountId = await addAccount(ctx)
  const { publicId } = await transaction(ctx, (tx) =>
    keepPicture(tx, ctx, { accountId, purpose: 'ticket', picture }),
  )
  for (const path of [
    uploadAddress(publicId),
    uploadAddress('A'.repeat(22)),
    '/img/upload/',
    '/img/upload/%2e%2e',
    '/img/upload/a.webp',
  ]) {
    const answer = await uploadAnswer(ctx, path)
    expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([
      404,
      'no-store',
      '',
    ])
  }
})
