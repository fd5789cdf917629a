import { beforeAll, expect, test } from 'vitest'
import { SAVED_MAX } from '#features/buying/saved-account/rules.ts'
import { loadSnapshot, type ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { startSession } from '#features/people/session/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { addAccount } from '../../test/support/accounts.ts'
import { importSmallCatalogue } from '../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { sessionCookieName } from './personal/cookies.ts'
import { createPersonalCalls } from './personal/run.ts'

const database = useDatabase()
const visitor = {
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  userAgent: 'Mozilla/5.0',
  acceptLanguage: 'en',
}
const GAME = 'dragon-quarry-global'
let shop: ShopSnapshot

beforeAll(async () => {
  await importSmallCatalogue(database.ctx)
  shop = await loadSnapshot(database.ctx.db, 1)
})

interface Answer {
  readonly code: number
  readonly data: {
    readonly list?: readonly {
      readonly id: string
      readonly label: string
      readonly field_set: string
      readonly fields: Readonly<Record<string, string>>
    }[]
    readonly fields?: readonly { readonly field: string; readonly msg: string }[]
  }
}

async function shopper() {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  const { token } = await transaction(ctx, (tx) => startSession(tx, ctx, { accountId, visitor }))
  const calls = createPersonalCalls({ ctx, snapshot: () => shop, services: testServices })
  const call = async (method: 'GET' | 'POST', path: string, given: Record<string, unknown>) => {
    const params = new URLSearchParams({ lang: 'en', currency_code: 'USD' })
    if (method === 'GET')
      for (const [name, value] of Object.entries(given)) params.set(name, String(value))
    const { envelope } = await calls.run({
      method,
      path,
      params,
      ...(method === 'POST' ? { body: given } : {}),
      cookieHeader: `${sessionCookieName(true)}=${token}`,
      visitor,
    })
    return envelope as Answer
  }
  return {
    accountId,
    saved: (product?: string) => call('GET', 'account/saved', product ? { product } : {}),
    save: (body: Record<string, unknown>) => call('POST', 'account/save', body),
    forget: (id: string) => call('POST', 'account/forget', { id }),
  }
}

const labels = ({ data }: Answer) => data.list?.map(({ label }) => label)

test('an account is kept once, under the name that was given last, and by itself under its first value', async () => {
  const { save, saved } = await shopper()
  expect(labels(await save({ product: GAME, fields: { user_id: ' ١٢٣٤٥٦ ' } }))).toEqual(['123456'])
  const named = await save({ product: GAME, fields: { user_id: '123456' }, label: ' My brother ' })
  expect(labels(named)).toEqual(['My brother'])
  // Saved again without a name it keeps its own.
  expect(labels(await save({ product: GAME, fields: { user_id: '123456' } }))).toEqual([
    'My brother',
  ])
  expect((await saved(GAME)).data.list).toMatchObject([
    { field_set: 'dragon-quarry', fields: { user_id: '123456' } },
  ])
})

test('what breaks the product’s rules, a name that is none and an unknown product are refused at their fields', async () => {
  const { save, saved } = await shopper()
  const problems = async (body: Record<string, unknown>) =>
    (await save(body)).data.fields?.map(({ field }) => field)
  expect(await problems({ product: GAME, fields: { user_id: 'abc' } })).toEqual(['fields.user_id'])
  expect(
    await problems({ product: GAME, fields: { user_id: '123456' }, label: 'x'.repeat(41) }),
  ).toEqual(['label'])
  expect(await problems({ label: 'nothing' })).toEqual(['product'])
  expect((await save({ product: 'no-such', fields: { user_id: '1' } })).code).toBe(404)
  expect(labels(await saved())).toEqual([])
})

test('a phone fits every operator, and no game', async () => {
  const { save, saved } = await shopper()
  const kept = await save({ product: 'us-bell', fields: { phone: '2015550123' }, label: 'Mum' })
  expect(kept.data.list).toMatchObject([{ field_set: 'phone', fields: { phone: '+12015550123' } }])
  expect(labels(await saved('us-bell'))).toEqual(['Mum'])
  expect(labels(await saved(GAME))).toEqual([])
})

test('nobody sees, renames or removes what is another’s', async () => {
  const [mine, other] = [await shopper(), await shopper()]
  const kept = await mine.save({ product: GAME, fields: { user_id: '123456' }, label: 'Mine' })
  const id = kept.data.list?.[0]?.id ?? ''
  expect(labels(await other.saved())).toEqual([])
  expect((await other.save({ id, label: 'Stolen' })).code).toBe(404)
  await other.forget(id)
  expect(labels(await mine.saved())).toEqual(['Mine'])
  expect(labels(await mine.save({ id, label: 'Still mine' }))).toEqual(['Still mine'])
  expect(labels(await mine.forget(id))).toEqual([])
})

test(`one person keeps ${SAVED_MAX}`, async () => {
  const { save, saved } = await shopper()
  // Side by side, as presses are: no two of them share the last place.
  const answers = await Promise.all(
    Array.from({ length: SAVED_MAX + 3 }, (_, index) =>
      save({ product: GAME, fields: { user_id: String(100_000 + index) } }),
    ),
  )
  expect(answers.filter(({ code }) => code !== 1)).toHaveLength(3)
  expect(labels(await saved())).toHaveLength(SAVED_MAX)
})
