import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { englishHash } from '#features/goods/transfer/queries.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { makeChange, setLocks, tryChange, tryUndo, undoChange } from './commands.ts'
import type { Edit, Json, Listed } from './rules.ts'

const database = useDatabase()
let owner: OperatorCtx
let keys = 0

beforeEach(async () => {
  const { db } = database.ctx
  await sql`truncate goods_change_row, goods_change`.execute(db)
  await sql`delete from category where code in ('fresh', 'fresher')`.execute(db)
  await sql`delete from game where code = 'fresh'`.execute(db)
  await sql`delete from region where code = 'moon'`.execute(db)
  await sql`delete from platform where code = 'abacus'`.execute(db)
  for (const table of ['category', 'game', 'region', 'platform'])
    await sql`update ${sql.table(table)} set locked_fields = '{}'`.execute(db)
  await sql`delete from translation`.execute(db)
  await importSmallCatalogue(database.ctx)
  const known = await db
    .selectFrom('operator')
    .selectAll()
    .where('name', '=', 'mara')
    .executeTakeFirst()
  owner = known
    ? actingAs(database.ctx, { id: known.id, name: known.name, role: 'owner' })
    : await firstOwner(database.ctx)
})

async function make(edits: readonly Edit[]) {
  const effect = await tryChange(owner, { edits })
  expect(effect.faults).toEqual([])
  const given = { asked: { edits }, kind: 'editor', hash: effect.hash, note: '' } as const
  const key = `lists-${(keys += 1)}-abcdef`
  return (await makeChange(owner, { ...given, isPartial: false, key }, null)).change ?? ''
}

async function undo(change: string) {
  const effect = await tryUndo(owner, change)
  const key = `lists-${(keys += 1)}-undone`
  return (await undoChange(owner, { key, change, hash: effect.hash }, null)).change ?? ''
}

const edits = (subject: Listed, code: string, values: Readonly<Record<string, Json>>): Edit[] =>
  Object.entries(values).map(([field, to]) => ({ subject, code, field, to }))
const faultsOf = async (all: readonly Edit[]) =>
  (await tryChange(owner, { edits: all })).faults.map(({ field, reason }) => `${field} ${reason}`)
const rowOf = async (table: string, code: string) =>
  (
    await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where code = ${code}`.execute(database.ctx.db)
  ).rows[0]
const german = (text: string, english: string) => ({
  text,
  english_hash: englishHash(english),
  origin: 'human',
})
const namesOf = async (subject: string, code: string) =>
  (
    await sql<{ language: string; text: string }>`
      select language, text from translation where subject = ${subject} and subject_code = ${code}`.execute(
      database.ctx.db,
    )
  ).rows

async function someCategory() {
  const { rows } = await sql<{ code: string; parent: string }>`
    select c.code, p.code as parent from category c join category p on p.id = c.parent_id where p.path in ('/cards', '/top-up', '/game') order by c.id limit 1`.execute(
    database.ctx.db,
  )
  const [row] = rows
  if (!row) throw new Error('no category')
  return row
}

const MOON = { there: true, name: 'Moon', 'name:de': german('Mond', 'nothing yet') }

describe('what goods are put in order by', () => {
  test('a category is made under another, renamed in two languages, and taken back', async () => {
    const { parent } = await someCategory()
    const made = await make(
      edits('category', 'fresh', { there: true, name: 'Fresh cards', parent }),
    )
    const row = await rowOf('category', 'fresh')
    expect(row).toMatchObject({
      name: 'Fresh cards',
      status: 'active',
      source: 'catalogue:console',
      path: expect.stringMatching(/-category\/fresh$/) as string,
      picture: 'category/fresh',
    })
    await make(
      edits('category', 'fresh', {
        name: 'Fresher',
        'name:de': german('Frischer', 'Fresh cards'),
      }),
    )
    expect(await rowOf('category', 'fresh')).toMatchObject({
      name: 'Fresher',
      locked_fields: ['name'],
    })
    // Whoever writes both has translated what they wrote.
    const { rows } =
      await sql`select english_hash from translation where subject_code = 'fresh'`.execute(
        database.ctx.db,
      )
    expect(rows).toEqual([{ english_hash: englishHash('Fresher') }])
    // The name is another by now: the making is not taken back over it.
    const { conflicts } = await tryUndo(owner, made)
    expect(conflicts.map(({ field }) => field)).toContain('name')
    expect(await rowOf('category', 'fresh')).toBeDefined()
  })

  test('what is taken away comes back the same, with its number, its address and its names', async () => {
    const { parent } = await someCategory()
    await make(
      edits('category', 'fresh', {
        there: true,
        name: 'Fresh',
        parent,
        'name:de': german('Frisch', 'Fresh'),
      }),
    )
    const before = await rowOf('category', 'fresh')
    const removal = await make(edits('category', 'fresh', { there: null }))
    expect(await rowOf('category', 'fresh')).toBeUndefined()
    expect(await namesOf('category', 'fresh')).toEqual([])
    const back = await undo(removal)
    expect(await rowOf('category', 'fresh')).toEqual(before)
    expect(await namesOf('category', 'fresh')).toEqual([{ language: 'de', text: 'Frisch' }])
    await undo(back)
    expect(await rowOf('category', 'fresh')).toBeUndefined()
  })

  test('games, regions and platforms are made, and the making is taken back', async () => {
    const { code: category } = await someCategory()
    const given: [Listed, string, Record<string, Json>][] = [
      ['region', 'moon', MOON],
      ['platform', 'abacus', { there: true, name: 'Abacus' }],
      [
        'game',
        'fresh',
        { there: true, name: 'Fresh', publisher: 'Nobody', category, released: 2020 },
      ],
    ]
    for (const [subject, code, values] of given) {
      const change = await make(edits(subject, code, values))
      const { rows } =
        await sql`select text, english_hash from translation where subject_code = ${code}`.execute(
          database.ctx.db,
        )
      expect(rows).toEqual(
        subject === 'region' ? [{ text: 'Mond', english_hash: englishHash('Moon') }] : [],
      )
      expect(await rowOf(subject, code)).toMatchObject({ name: values['name'] })
      await undo(change)
      expect(await rowOf(subject, code)).toBeUndefined()
    }
    expect(await namesOf('region', 'moon')).toEqual([])
  })

  test('one under which goods stand stays, with the reason', async () => {
    const { rows } = await sql<{ region: string; brand: string; game: string | null }>`
      select p.region, p.brand, b.game from product p join brand b on b.code = p.brand order by b.game nulls last limit 1`.execute(
      database.ctx.db,
    )
    const { region = '', game } = rows[0] ?? {}
    expect(await faultsOf(edits('region', region, { there: null }))).toEqual(['there in_use'])
    if (game) expect(await faultsOf(edits('game', game, { there: null }))).toEqual(['there in_use'])
    const { parent } = await someCategory()
    expect(await faultsOf(edits('category', parent, { there: null }))).toEqual(['there in_use'])
  })

  test('what an import would refuse is refused at its field', async () => {
    const { code, parent } = await someCategory()
    const fresh = (values: Record<string, Json>) =>
      faultsOf(edits('category', 'fresh', { there: true, ...values }))
    expect(await fresh({ name: 'Fresh' })).toEqual(['parent required'])
    expect(await fresh({ parent })).toEqual(['name required'])
    expect(await fresh({ name: 'Fresh', parent: 'nowhere' })).toEqual(['parent not_allowed'])
    expect(await faultsOf(edits('category', code, { there: true, name: 'x', parent }))).toEqual([
      'there code_taken',
    ])
    expect(await faultsOf(edits('region', 'Mo on', MOON))).toContain('there code_format')
    expect(await faultsOf(edits('region', 'nowhere', { name: 'x' }))).toEqual([
      'name gone_meanwhile',
    ])
    expect(await faultsOf(edits('category', code, { parent: code }))).toEqual([
      'parent not_allowed',
    ])
    expect(await faultsOf(edits('category', code, { name: null, nothing: 1 }))).toEqual([
      'nothing unknown_field',
      'name required',
    ])
  })

  test('two editors meet, and neither overwrites the other', async () => {
    await make(edits('region', 'moon', MOON))
    const mine: Edit = { subject: 'region', code: 'moon', field: 'name', from: 'Moon', to: 'Luna' }
    await make([{ ...mine, to: 'Selene' }])
    const { conflicts, goods } = await tryChange(owner, { edits: [mine] })
    expect(conflicts).toMatchObject([
      { field: 'name', from: 'Moon', present: 'Selene', to: 'Luna' },
    ])
    expect(goods).toBe(0)
  })

  test('an import leaves alone what was changed here, until it is freed', async () => {
    const { code } = await someCategory()
    const was = (await rowOf('category', code))?.['name'] as string
    await make(edits('category', code, { name: 'Ours' }))
    await importSmallCatalogue(database.ctx)
    expect(await rowOf('category', code)).toMatchObject({ name: 'Ours' })
    await setLocks(owner, { subject: 'category', code, fields: ['name'], isLocked: false })
    await importSmallCatalogue(database.ctx)
    expect(await rowOf('category', code)).toMatchObject({ name: was })
  })

  test('each act stands in the trail', async () => {
    await make(edits('region', 'moon', MOON))
    await make(edits('region', 'moon', { position: 3 }))
    await make(edits('region', 'moon', { there: null }))
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where subject = 'region' and subject_code = 'moon' order by id desc limit 3`.execute(
      database.ctx.db,
    )
    expect(rows.map(({ action }) => action)).toEqual(['remove', 'update', 'create'])
  })
})
