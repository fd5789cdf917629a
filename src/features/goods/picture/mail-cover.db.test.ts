import sharp from 'sharp'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import { createCoverDrawer } from './flows.ts'
import { makePicture } from './pipeline/render.ts'

const database = useDatabase()

test('a cover for a mail is a small PNG, drawn once for each side it hangs from', async () => {
  const { db } = database.ctx
  const recipe = { name: 'Steam Wallet Code', kind: 'gift', color: '#1b6fb8', tag: 'USD' }
  await db
    .insertInto('picture')
    .values({ code: 'brand/steam', kind: 'cover', recipe: JSON.stringify(recipe) })
    .execute()
  let drawn = 0
  const drawCover = createCoverDrawer((...wanted) => {
    drawn += 1
    return makePicture(...wanted)
  }, '/data')
  const [first, again] = [
    await drawCover(db, 'brand/steam', false),
    await drawCover(db, 'brand/steam', false),
  ]
  const { format, width, height } = await sharp(first ?? undefined).metadata()
  expect({ format, width, height }).toEqual({ format: 'png', width: 120, height: 160 })
  expect(first?.byteLength).toBeLessThan(4_096)
  expect(again).toEqual(first)
  expect(drawn).toBe(1)
  expect(await drawCover(db, 'brand/steam', true)).not.toEqual(first)
  expect(drawn).toBe(2)
  expect(await drawCover(db, 'brand/none', false)).toBeNull()
})
