import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { englishHash } from '#features/goods/transfer/queries.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import { importSmallCatalogue } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { makeChange, tryChange, tryUndo, undoChange } from './commands.ts'
import { findEditedProduct, listHistoryOfProduct } from './queries.ts'
import type { Edit, Json } from './rules.ts'

const database = useDatabase()
let owner: OperatorCtx
let keys = 0

beforeEach(async () => {
  const { db } = database.ctx
  await sql`truncate goods_change_row, goods_change`.execute(db)
  await sql`update brand set locked_fields = '{}'`.execute(db)
  await sql`update item set locked_fields = '{}'`.execute(db)
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
  const given = { asked: { edits }, kind: 'editor', hash: effect.hash, note: '' } as const
  const made = await makeChange(
    owner,
    { ...given, isPartial: false, key: `texts-${(keys += 1)}-abcdef` },
    null,
  )
  return made.change ?? ''
}

async function undo(change: string) {
  const { hash, conflicts } = await tryUndo(owner, change)
  await undoChange(owner, { key: `texts-${(keys += 1)}-undone`, change, hash }, null)
  return conflicts
}

async function wordOf(name: string, product = 'vapour-us') {
  const found = await findEditedProduct(database.ctx.db, product)
  const word = found?.words.find((one) => one.name === name)
  if (!word) throw new Error(`no word ${name}`)
  return word
}

const said = (text: string, hash: string, origin = 'human'): Json => ({
  text,
  english_hash: hash,
  origin,
})
const german = async (name: string) => (await wordOf(name)).texts.get('de') ?? null

async function edit(name: string, to: string | null, from?: Json): Promise<Edit> {
  const word = await wordOf(name)
  return {
    subject: word.subject,
    code: word.code,
    field: `${name}:de`,
    ...(from === undefined ? {} : { from }),
    to: to === null ? null : said(to, word.hash),
  }
}

/** Addresses stay as they are, and items whose figures make their label have no name of their own. */
const WORDS = ['name', 'redeem.steps.0', 'redeem.steps.1', 'redeem.key_format', 'redeem.validity']

describe('texts of goods in other languages', () => {
  test('words of a product are those that an export would have translated', async () => {
    const words = (await findEditedProduct(database.ctx.db, 'vapour-us'))?.words ?? []
    expect(words.map(({ name }) => name)).toEqual(WORDS)
    expect(words.every(({ english, hash }) => englishHash(english) === hash)).toBe(true)
  })

  test('a translation is told, kept with its goods, and taken back', async () => {
    const change = await make([await edit('redeem.steps.1', 'Auf Weiter tippen.', null)])
    expect(await german('redeem.steps.1')).toMatchObject({
      text: 'Auf Weiter tippen.',
      origin: 'human',
    })
    const past = await listHistoryOfProduct(database.ctx.db, 'vapour-us', {
      before: null,
      limit: 10,
    })
    expect(past).toMatchObject([
      { subject: 'brand', code: 'vapour', field: 'redeem.steps.1:de', before: null },
    ])
    expect(await undo(change)).toEqual([])
    expect(await german('redeem.steps.1')).toBeNull()
  })

  test('a name of a brand has its own row, and an import keeps what a person said', async () => {
    await make([await edit('name', 'Dampf')])
    expect(await german('name')).toMatchObject({ text: 'Dampf' })
    await importSmallCatalogue(database.ctx)
    expect(await german('name')).toMatchObject({ text: 'Dampf', origin: 'human' })
  })

  test('what somebody else has translated meanwhile is told, and stays', async () => {
    await make([await edit('redeem.steps.1', 'Auf Weiter tippen.')])
    const late = await edit('redeem.steps.1', 'Tippe auf Weiter.', null)
    const { conflicts, goods } = await tryChange(owner, { edits: [late] })
    expect(goods).toBe(0)
    expect(conflicts).toMatchObject([
      { field: 'redeem.steps.1:de', present: { text: 'Auf Weiter tippen.' } },
    ])
  })

  test('behind an English that changes the translation goes on, and is told as made of the one before', async () => {
    await make([await edit('redeem.steps.1', 'Auf Weiter tippen.')])
    const before = await wordOf('redeem.steps.1')
    const brand = (await findEditedProduct(database.ctx.db, 'vapour-us'))?.brand
    const redeem = brand?.values['redeem'] as { steps: string[] }
    const steps = [redeem.steps[0] ?? '', 'Press Go.']
    const to = { ...redeem, steps } as unknown as Json
    const change = await make([{ subject: 'brand', code: 'vapour', field: 'redeem', to }])
    const after = await wordOf('redeem.steps.1')
    expect(after.english).toBe('Press Go.')
    expect(after.texts.get('de')).toMatchObject({
      text: 'Auf Weiter tippen.',
      englishHash: before.hash,
      former: before.english,
    })
    expect(await undo(change)).toEqual([])
    expect(await german('redeem.steps.1')).toMatchObject({ englishHash: before.hash })
  })

  test('who changes English and its translation at once has translated the new one', async () => {
    await make([await edit('redeem.steps.1', 'Auf Weiter tippen.')])
    const word = await wordOf('redeem.steps.1')
    const brand = (await findEditedProduct(database.ctx.db, 'vapour-us'))?.brand
    const redeem = brand?.values['redeem'] as { steps: string[] }
    const to = { ...redeem, steps: [redeem.steps[0], 'Press it.'] } as unknown as Json
    const change = await make([
      { subject: 'brand', code: 'vapour', field: 'redeem', from: redeem as unknown as Json, to },
      await edit('redeem.steps.1', 'Tippe ihn ein.', said('Auf Weiter tippen.', word.hash)),
    ])
    const now = await wordOf('redeem.steps.1')
    expect(now.texts.get('de')).toMatchObject({ text: 'Tippe ihn ein.', englishHash: now.hash })
    expect(await undo(change)).toEqual([])
    expect(await german('redeem.steps.1')).toMatchObject({
      text: 'Auf Weiter tippen.',
      englishHash: word.hash,
    })
  })

  test('steps that only moved keep their translations', async () => {
    await make([await edit('redeem.steps.1', 'Auf Weiter tippen.')])
    const first = (await wordOf('redeem.steps.1')).english
    const brand = (await findEditedProduct(database.ctx.db, 'vapour-us'))?.brand
    const redeem = brand?.values['redeem'] as { steps: string[] }
    const to = { ...redeem, steps: ['Begin.', ...redeem.steps] } as unknown as Json
    await make([{ subject: 'brand', code: 'vapour', field: 'redeem', to }])
    expect((await wordOf('redeem.steps.0')).texts.get('de')).toBeUndefined()
    const moved = await wordOf('redeem.steps.2')
    expect(moved.english).toBe(first)
    expect(moved.texts.get('de')).toMatchObject({
      text: 'Auf Weiter tippen.',
      englishHash: moved.hash,
    })
  })

  test.each([
    ['a text that the goods do not have', 'redeem.steps.9:de', 'unknown_field'],
    ['English, which is the field itself', 'name:en', 'unknown_field'],
    ['a language that the shop does not speak', 'name:xx', 'unknown_field'],
  ])('%s is refused at its place', async (_, field, reason) => {
    const asked = {
      edits: [
        { subject: 'brand', code: 'vapour', field, to: said('x', '0123456789abcdef') } as const,
      ],
    }
    expect((await tryChange(owner, asked)).faults).toMatchObject([{ field, reason }])
  })

  test('a text that is too long, or none, is refused at its place', async () => {
    const hash = (await wordOf('name')).hash
    for (const text of ['', ' ', 'x'.repeat(4_001)]) {
      const edits = [
        { subject: 'brand', code: 'vapour', field: 'name:de', to: said(text, hash) } as const,
      ]
      expect((await tryChange(owner, { edits })).faults).toMatchObject([{ reason: 'wrong_type' }])
    }
  })
})
