import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { askForStarter } from './commands.ts'
import { takeStarterGoods } from './jobs.ts'
import { findStarterRun } from './queries.ts'

const database = useDatabase()
let owner: OperatorCtx
beforeAll(async () => {
  owner = await firstOwner(database.ctx)
})
const work = () => takeStarterGoods(database.ctx, new AbortController().signal)

const counted = async () => {
  const { rows } = await sql<{ kind: string; status: string; count: number; sold: number }>`
    select b.kind, p.status, count(distinct p.code)::integer as count, sum(i.sold)::integer as sold
    from product p join brand b on b.code = p.brand join item i on i.product = p.code group by 1, 2 order by 1, 2`.execute(
    database.ctx.db,
  )
  return rows
}

test('what goods stand on comes alone, then kinds as drafts or on sale, and none of them changes another', async () => {
  const { ctx } = database
  await askForStarter(owner, { kinds: [], isOnSale: false })
  // One at a time.
  expect(
    await refused(askForStarter(owner, { kinds: ['gift_card'], isOnSale: true })),
  ).toMatchObject({ code: 'still_running' })
  await work()
  expect(await findStarterRun(ctx.db)).toMatchObject({ state: 'done', step: 1, steps: 1 })
  expect(await counted()).toEqual([])
  const { rows } = await sql<{ currencies: number; regions: number }>`
    select (select count(*) from currency)::integer as currencies, (select count(*) from region)::integer as regions`.execute(
    ctx.db,
  )
  expect(rows[0]?.currencies).toBeGreaterThan(50)
  expect(rows[0]?.regions).toBeGreaterThan(100)

  await askForStarter(owner, { kinds: ['prepaid_card'], isOnSale: true })
  await work()
  const [prepaid] = await counted()
  expect(prepaid).toMatchObject({ kind: 'prepaid_card', status: 'active', sold: 0 })

  await askForStarter(owner, { kinds: ['subscription'], isOnSale: false })
  await work()
  expect(await findStarterRun(ctx.db)).toMatchObject({ state: 'done', failure: null })
  expect(await counted()).toEqual([
    prepaid,
    expect.objectContaining({ kind: 'subscription', status: 'suspended', sold: 0 }),
  ])
  // Nothing of what is the demo's own came along.
  const { rows: own } = await sql<{ articles: number; reviews: number; translations: number }>`
    select (select count(*) from article)::integer as articles, (select count(*) from review)::integer as reviews,
      (select count(*) from translation where subject in ('article', 'article_category'))::integer as translations`.execute(
    ctx.db,
  )
  expect(own).toEqual([{ articles: 0, reviews: 0, translations: 0 }])
})

test('a folder that an import refuses is told, and nothing is taken', async () => {
  const { ctx } = database
  const before = await counted()
  await askForStarter(owner, { kinds: ['top_up'], isOnSale: true })
  await takeStarterGoods(ctx, new AbortController().signal, '/nowhere')
  expect(await findStarterRun(ctx.db)).toMatchObject({ state: 'failed', step: 0 })
  expect(await counted()).toEqual(before)
})

test('a step whose import is not noted has not come in: a worker that dies leaves both or none', async () => {
  const { ctx } = database
  const before = await counted()
  await askForStarter(owner, { kinds: ['top_up'], isOnSale: true })
  await sql`alter table starter_goods add constraint dies check (step < 2) not valid`.execute(
    ctx.db,
  )
  await expect(work()).rejects.toThrow('dies')
  expect(await counted()).toEqual(before)
  await sql`alter table starter_goods drop constraint dies`.execute(ctx.db)
  expect(await findStarterRun(ctx.db)).toMatchObject({ state: 'failed', step: 1 })
})

test('what a run took in before it failed is left by the next one', async () => {
  const { ctx } = database
  const before = await counted()
  await askForStarter(owner, { kinds: ['game_key'], isOnSale: true })
  await work()
  const after = await counted()
  expect(after.length).toBe(before.length + 1)
  // As a kind behind it would have left it.
  await sql`update starter_goods set state = 'failed', failure = 'a fault', steps = 3, kinds = array['game_key', 'recharge']
    where id = ${(await findStarterRun(ctx.db))?.id}`.execute(ctx.db)
  await askForStarter(owner, { kinds: [], isOnSale: false })
  await work()
  expect(await findStarterRun(ctx.db)).toMatchObject({ state: 'done' })
  expect(await counted()).toEqual(after)
})
