import { beforeEach, describe, expect, test } from 'vitest'
import { loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { findProduct } from '#features/goods/browse/queries.ts'
import { tryUndo } from '#features/goods/editing/commands.ts'
import { listHistory } from '#features/goods/editing/queries.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { actingAs, type OperatorCtx } from '#features/team/operator/commands.ts'
import { isAppError } from '#kernel/error.ts'
import {
  importSmallCatalogue,
  smallCatalogue,
  writeFolder,
} from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { renameOnce, tryRename } from './commands.ts'

const database = useDatabase()
let owner: OperatorCtx
let keys = 0

beforeEach(async () => {
  await importSmallCatalogue(database.ctx)
  const known = await database.ctx.db
    .selectFrom('operator')
    .selectAll()
    .where('name', '=', 'mara')
    .executeTakeFirst()
  owner = known
    ? actingAs(database.ctx, { id: known.id, name: known.name, role: 'owner' })
    : await firstOwner(database.ctx)
  const { db } = database.ctx
  const own = await db
    .selectFrom('product')
    .select('code')
    .where('brand', '=', 'vapour')
    .executeTakeFirstOrThrow()
  if (own.code !== 'vapour-us') await rename(own.code, 'vapour-us')
  await db.deleteFrom('code_redirect').execute()
})

async function rename(from: string, to: string) {
  const { hash } = await tryRename(owner, { from, to })
  return renameOnce(owner, { from, to, hash, key: `rename-${(keys += 1)}-abcdef` })
}

const redirects = async () =>
  Object.fromEntries(
    (await database.ctx.db.selectFrom('code_redirect').selectAll().execute()).map((row) => [
      row.old_code,
      row.new_code,
    ]),
  )

async function refusal(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isAppError(error)) throw new Error('was not refused', { cause: error })
  return { code: error.code, reasons: error.fields.map(({ reason }) => reason) }
}

describe('another code for a product', () => {
  test('is told, bound, done once, and every former code leads there in one step', async () => {
    const first = await tryRename(owner, { from: 'vapour-us', to: 'vapour-usa' })
    expect(first).toMatchObject({ leading: ['vapour-us'], isReturn: false })
    const given = { from: 'vapour-us', to: 'vapour-usa', key: 'once-abcdef', hash: first.hash }
    const made = await renameOnce(owner, given)
    expect(await renameOnce(owner, given)).toEqual(made)
    expect((await tryRename(owner, { from: 'vapour-usa', to: 'vapour-america' })).leading).toEqual([
      'vapour-usa',
      'vapour-us',
    ])
    await rename('vapour-usa', 'vapour-america')
    expect(await redirects()).toEqual({
      'vapour-us': 'vapour-america',
      'vapour-usa': 'vapour-america',
    })
    const shop = await loadSnapshot(database.ctx.db, 1)
    expect(findProduct(shop, 'vapour-us')?.code).toBe('vapour-america')
    expect(shop.catalogue.productByCode.get('vapour-america')?.items).toHaveLength(2)
  })

  test('stands in its history under the new code, and going back ends the redirect', async () => {
    const { change } = await rename('vapour-us', 'vapour-usa')
    const { db } = database.ctx
    const page = { before: null, limit: 1 }
    expect(await listHistory(db, 'product', 'vapour-usa', page)).toMatchObject([
      { change, field: 'code', before: 'vapour-us', after: 'vapour-usa' },
    ])
    expect(await refusal(tryUndo(owner, change))).toMatchObject({ code: 'not_found' })
    expect(await tryRename(owner, { from: 'vapour-usa', to: 'vapour-us' })).toMatchObject({
      leading: ['vapour-usa'],
      isReturn: true,
    })
    await rename('vapour-usa', 'vapour-us')
    expect(await redirects()).toEqual({ 'vapour-usa': 'vapour-us' })
  })

  test('is refused where it means other goods, by a code or by a former one, or is none', async () => {
    const to = async (code: string) =>
      (await refusal(tryRename(owner, { from: 'vapour-us', to: code }))).reasons
    expect(await to('dragon-quarry-global')).toEqual(['code_taken'])
    expect(await to('dragon-quarry')).toEqual(['code_taken'])
    expect(await to('Vapour US')).toEqual(['code_format'])
    expect(await to('vapour-us')).toEqual(['same_as_before'])
    await rename('dragon-quarry-global', 'dragon-quarry-world')
    expect(await to('dragon-quarry-global')).toEqual(['code_taken'])
    await rename('dragon-quarry-world', 'dragon-quarry-global')
    expect(
      await refusal(tryRename(owner, { from: 'nothing-there', to: 'something' })),
    ).toMatchObject({ code: 'not_found' })
  })

  test('is not done where it would not do any more what was seen', async () => {
    const { hash } = await tryRename(owner, { from: 'vapour-us', to: 'vapour-usa' })
    await rename('vapour-us', 'vapour-north')
    await rename('vapour-north', 'vapour-us')
    const given = { from: 'vapour-us', to: 'vapour-usa', key: 'stale-abcdef', hash }
    expect(await refusal(renameOnce(owner, given))).toMatchObject({ code: 'changed_meanwhile' })
  })

  test('holds against an import that still says the former one', async () => {
    await rename('vapour-us', 'vapour-usa')
    const documents = smallCatalogue()
    const report = await importCatalogue(database.ctx, writeFolder(documents))
    expect(report.faults).toEqual([])
    const rows = await database.ctx.db
      .selectFrom('product')
      .select('code')
      .where('brand', '=', 'vapour')
      .execute()
    expect(rows).toEqual([{ code: 'vapour-usa' }])
    expect(await redirects()).toEqual({ 'vapour-us': 'vapour-usa' })
  })
})
