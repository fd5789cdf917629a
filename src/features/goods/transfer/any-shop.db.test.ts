import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { maskedName, reviewText } from '#features/goods/review/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import {
  readTexts,
  smallCatalogue,
  temporaryFolder,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { edition, folderOf } from '../../../../test/support/shop-editions.ts'
import { importCatalogue } from './commands.ts'
import { exportCatalogue } from './flows.ts'
import { TABLES } from './rows/tables.ts'

const database = useDatabase()
const elsewhere = useDatabase()

async function empty({ db }: Ctx): Promise<void> {
  for (const { name } of TABLES.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db)
  await sql`delete from translation`.execute(db)
}

/** As the shop publishes what a buyer wrote. */
async function addReview(
  { db, now }: Ctx,
  said: { text: string; nickname: string; rating: number },
): Promise<void> {
  await sql`insert into review (id, brand, language, rating, text, nickname, published_at, source)
    select nextval('review_number'), code, 'en', ${said.rating}, ${reviewText(said.text)}, ${maskedName(said.nickname)}, ${now()}, 'shopper' from brand limit 1`.execute(
    db,
  )
}

const opinion = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll('\0', '')),
  nickname: fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constant('𝒳'.repeat(40)),
      fc.constant(`a${'\u0301'.repeat(39)}`),
    )
    .map((text) => text.replaceAll('\0', '')),
  rating: fc.integer({ min: 1, max: 5 }),
})

test('any shop, however its goods came, changed and were renamed, is exported so that importing it changes nothing, here and elsewhere', async () => {
  let imported = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(edition, { minLength: 1, maxLength: 4 }),
      fc.array(opinion, { maxLength: 3 }),
      async (editions, opinions) => {
        await Promise.all([empty(database.ctx), empty(elsewhere.ctx)])
        for (const each of editions) {
          const { faults } = await importCatalogue(database.ctx, writeFolder(folderOf(each)))
          if (faults.length === 0) imported += 1
        }
        for (const said of opinions) await addReview(database.ctx, said)
        const folder = temporaryFolder()
        await exportCatalogue(database.ctx, folder)
        const here = await importCatalogue(database.ctx, folder)
        expect([here.faults, [...here.changes], here.renamed]).toEqual([[], [], 0])
        const there = await importCatalogue(elsewhere.ctx, folder)
        expect(there.faults).toEqual([])
        const again = temporaryFolder()
        await exportCatalogue(elsewhere.ctx, again)
        expect(readTexts(again)).toEqual(readTexts(folder))
      },
    ),
    { numRuns: 25 },
  )
  expect(imported).toBeGreaterThan(10)
})

test('the numbers of reviews that an export brought along are not given again', async () => {
  await importCatalogue(database.ctx, writeFolder(smallCatalogue()))
  await addReview(database.ctx, { text: 'Quick.', nickname: 'Zora', rating: 5 })
  const folder = temporaryFolder()
  await exportCatalogue(database.ctx, folder)
  await importCatalogue(elsewhere.ctx, folder)
  await addReview(elsewhere.ctx, { text: 'Quick too.', nickname: 'Raka', rating: 4 })
  const { rows } = await sql<{
    text: string
  }>`select text from review where source = 'shopper' order by id`.execute(elsewhere.ctx.db)
  expect(rows.map(({ text }) => text).slice(-2)).toEqual(['Quick.', 'Quick too.'])
})
