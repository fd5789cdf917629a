import { expect, test } from 'vitest'
import { z } from 'zod'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { listPictures } from '#features/goods/picture/queries.ts'
import { smallCatalogue, writeFolder } from '../support/catalogue-folder.ts'
import { useDatabase } from '../support/database.ts'

/**
 * What releases before designs (commit 7a503f7) read of a picture when they start; they do not start where a row has more. This never
 * changes while such a release may run on the newest database.
 */
const OLD_RECIPE = z.strictObject({
  name: z.string().max(120).min(1),
  kind: z.enum(['topup', 'gift', 'pin', 'sim', 'data', 'sub']),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/)
    .optional(),
  tag: z
    .string()
    .regex(/^[A-Za-z0-9+\-&%. ]{0,8}$/)
    .optional(),
  short: z
    .string()
    .regex(/^[A-Za-z0-9+\-&%. ]{0,40}$/)
    .optional(),
  motif: z.string().optional(),
  seed: z.string().max(120).optional(),
})
const OLD_PICTURE = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cover'), recipe: OLD_RECIPE }),
  z.strictObject({ kind: z.literal('file'), path: z.string().min(1) }),
])

const database = useDatabase()

/** As that release asks for it, whatever columns came since. */
async function readAsBefore() {
  const rows = await database.ctx.db.selectFrom('picture').selectAll().execute()
  return rows.map((row) =>
    OLD_PICTURE.parse(
      row.kind === 'cover'
        ? { kind: 'cover', recipe: row.recipe }
        : { kind: 'file', path: row.path },
    ),
  )
}

test('a catalogue with designs, and letters of every alphabet, is read by the release before them', async () => {
  const documents = smallCatalogue()
  Object.assign(documents['brands/gift_card/vapour.json'].picture.cover, {
    short: 'Пар',
    design: { motif: 'awning' },
  })
  const folder = writeFolder(documents)
  expect((await importCatalogue(database.ctx, folder)).faults).toEqual([])
  expect((await readAsBefore()).length).toBeGreaterThan(2)

  const { recipe } = (await listPictures(database.ctx.db)).get('brand/vapour') ?? {}
  expect(recipe).toMatchObject({ recipe: { short: 'Пар', design: { motif: 'awning' } } })
  expect((await importCatalogue(database.ctx, folder)).changeCount).toBe(0)
})

test('what a release between has written into the recipe since is what counts', async () => {
  const { db } = database.ctx
  const recipe = { name: 'Vapour', kind: 'gift', short: 'Mist', design: { motif: 'lighthouse' } }
  await db
    .updateTable('picture')
    .set({ recipe: JSON.stringify(recipe) })
    .where('code', '=', 'brand/vapour')
    .execute()
  const stored = (await listPictures(db)).get('brand/vapour')
  expect(stored?.recipe).toMatchObject({
    recipe: { short: 'Mist', design: { motif: 'lighthouse' } },
  })
})
