import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { englishHash } from '#features/goods/transfer/queries.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { namesOfGoods } from './queries.ts'

const database = useDatabase()

test('goods are called in the language of who reads, and in English where there is no other name', async () => {
  await importSmallCatalogue(database.ctx)
  const { db } = database.ctx
  const write = (subject: string, code: string, english: string, text: string) =>
    sql`insert into translation (subject, subject_code, field, language, text, origin, english_hash)
      values (${subject}, ${code}, ${subject === 'phrase' ? 'text' : 'name'}, 'ar', ${text}, 'human', ${englishHash(english)})
      on conflict (subject, subject_code, field, language) do update set text = excluded.text`.execute(
      db,
    )
  const { name } = await db
    .selectFrom('item')
    .select('name')
    .where('code', '=', 'card:vapour:us:10')
    .executeTakeFirstOrThrow()
  await write('brand', 'vapour', 'Vapour Gift Card', 'بطاقة فيبور')
  await write('phrase', englishHash(name), name, 'عشرة دولارات')
  await write('region', 'us', 'United States', 'الولايات المتحدة')
  const named = [
    { subject: 'brand', code: 'vapour' },
    { subject: 'product', code: 'vapour-us' },
    { subject: 'item', code: 'card:vapour:us:10' },
    { subject: 'region', code: 'us' },
  ]
  expect(Object.fromEntries(await namesOfGoods(db, named, 'ar'))).toEqual({
    'brand vapour': 'بطاقة فيبور',
    'product vapour-us': 'بطاقة فيبور, الولايات المتحدة',
    'item card:vapour:us:10': 'بطاقة فيبور, عشرة دولارات',
    'region us': 'الولايات المتحدة',
  })
  expect((await namesOfGoods(db, named, 'de')).get('brand vapour')).toBe('Vapour Gift Card')
})
