import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import { takeShare, takeAccountChange } from './commands.ts'

const database = useDatabase()

function at(clock: { ms: number }) {
  return { ...database.ctx, now: () => new Date(clock.ms) }
}

const NOON = Date.UTC(2026, 1, 3, 12)

test('of 100 calls at once exactly as many get through as the allowance holds', async () => {
  const ctx = at({ ms: NOON })
  for (const burst of [1, 7, 30]) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        takeShare(ctx, { name: 'parallel', key: `of ${burst}`, per: 600, burst }),
      ),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(burst)
  }
})

test('the wait is told in whole seconds, and after it one more call gets through', async () => {
  const clock = { ms: NOON }
  const take = () =>
    takeShare(at(clock), { name: 'code', key: 'anna@shop.example', per: 600, burst: 3 })
  for (let n = 0; n < 3; n += 1) expect(await take()).toEqual({ ok: true })
  expect(await take()).toEqual({ ok: false, seconds: 200 })
  clock.ms += 199_001
  expect(await take()).toEqual({ ok: false, seconds: 1 })
  clock.ms += 999
  expect(await take()).toEqual({ ok: true })
  expect(await take()).toEqual({ ok: false, seconds: 200 })
  clock.ms += 86_400_000
  for (let n = 0; n < 3; n += 1) expect(await take()).toEqual({ ok: true })
  expect(await take()).toEqual({ ok: false, seconds: 200 })
})

test('names and keys have allowances of their own, and neither can be read in the table', async () => {
  const ctx = at({ ms: NOON })
  const take = (name: string, key: string) => takeShare(ctx, { name, key, per: 60, burst: 1 })
  expect(await take('reset', 'bert@shop.example')).toEqual({ ok: true })
  expect(await take('reset', 'carl@shop.example')).toEqual({ ok: true })
  expect(await take('proof', 'bert@shop.example')).toEqual({ ok: true })
  expect((await take('reset', 'bert@shop.example')).ok).toBe(false)
  const rows = await ctx.db.selectFrom('rate_limit').selectAll().execute()
  expect(rows.map(({ key }) => key.toString('latin1')).join()).not.toMatch(/shop|reset/)
})

test('a share stays taken when the transaction around it is rolled back', async () => {
  const ctx = at({ ms: NOON })
  const share = { name: 'rolled back', key: 'x', per: 60, burst: 1 }
  await ctx.db
    .transaction()
    .execute(async () => {
      expect(await takeShare(ctx, share)).toEqual({ ok: true })
      throw new Error('changed my mind')
    })
    .catch(() => {})
  expect((await takeShare(ctx, share)).ok).toBe(false)
})

test('where limits are switched off nothing is counted', async () => {
  const ctx = { ...at({ ms: NOON }), isLimited: false }
  for (let n = 0; n < 5; n += 1)
    expect(await takeShare(ctx, { name: 'off', key: 'x', per: 60, burst: 1 })).toEqual({ ok: true })
})

test('an allowance of nothing is a mistake of the program', async () => {
  await expect(takeShare(database.ctx, { name: 'x', key: 'x', per: 60, burst: 0 })).rejects.toThrow(
    RangeError,
  )
})

test('an account is changed so often a day by its owner', async () => {
  const { ctx } = database
  for (let changes = 0; changes < 200; changes += 1) await takeAccountChange(ctx, 'a')
  await expect(takeAccountChange(ctx, 'a')).rejects.toMatchObject({ code: 'too_many_requests' })
  await takeAccountChange(ctx, 'b')
})
