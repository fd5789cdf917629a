import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readPayMethods } from '#features/goods/pay-method/queries.ts'
import { approveAct } from '#features/office/approval/commands.ts'
import { changeSetting } from '#features/office/setting/commands.ts'
import {
  actingAs,
  createFirstOwner,
  createOperator,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { present } from '#kernel/assert.ts'
import type { Ctx } from '#platform/ctx.ts'
import { addCurrencies } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused } from '../../../../test/support/people.ts'
import { changeMethod, orderMethods } from './commands.ts'
import { examplesOf, type MethodTerms } from './engine/methods.ts'
import { listMethods } from './queries.ts'

const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000
const database = useDatabase()
let ctx: Ctx
let mara: OperatorCtx

beforeAll(async () => {
  ctx = database.ctx
  await addCurrencies(ctx)
  mara = actingAs(ctx, await createFirstOwner(ctx, { name: 'mara', password: PASSWORD }))
})
beforeEach(() => ctx.db.deleteFrom('setting').execute())

const usd = (max: number) => ({ min_minor: null, max_minor: max, currency: 'USD' })
const known = async (code: string) =>
  present(
    (await listMethods(ctx.db)).methods.find(({ method }) => method.code === code),
    code,
  )
const change = async (who: OperatorCtx, code: string, terms: Partial<MethodTerms>) => {
  const { terms: before, version } = await known(code)
  return changeMethod(who, { code, terms: { ...before, ...terms }, version })
}
const offered = async (code: string) =>
  (await readPayMethods(ctx.db)).find((method) => method.code === code)

test('terms of one method change, all others and their order stay', async () => {
  const before = (await readPayMethods(ctx.db)).map(({ code }) => code)
  await change(mara, 'stripe', {
    fee: { minor: 30, currency: 'USD', basis_points: 290 },
    limits: usd(20_000),
    currencies: ['USD'],
  })
  expect(await offered('stripe')).toMatchObject({
    fee: { minor: 30n, currency: 'USD', basisPoints: 290 },
    maxMinor: 20_000n,
    countries: null,
    currencies: ['USD'],
  })
  expect((await readPayMethods(ctx.db)).map(({ code }) => code)).toEqual(before)
  const now = await known('stripe')
  const free = { ...now.terms, fee: { minor: 0, currency: 'USD', basis_points: 0 } }
  expect(examplesOf(now, free, new Map())).toEqual([
    { goodsMinor: 500n, before: 545n, after: 500n },
    { goodsMinor: 5_000n, before: 5_175n, after: 5_000n },
    { goodsMinor: 50_000n, before: null, after: null },
  ])
})

test('limits are said in a currency of the shop’s own, and in dollars as every release reads them', async () => {
  const limits = { min_minor: 500, max_minor: 20_000, currency: 'EUR' }
  await change(mara, 'stripe', { limits })
  expect(await offered('stripe')).toMatchObject({
    minMinor: 500n,
    maxMinor: 20_000n,
    limitCurrency: 'EUR',
  })
  const written = async () =>
    JSON.stringify(
      (await ctx.db.selectFrom('setting').select('value').executeTakeFirstOrThrow()).value,
    )
  expect(await written()).toContain('"limits"')
  expect((await known('stripe')).terms.limits).toEqual(limits)
  const unknown = { ...limits, currency: 'QQQ' }
  expect((await refused(change(mara, 'stripe', { limits: unknown }))).fields).toEqual({
    limits: 'currency_unknown',
  })
  await change(mara, 'stripe', { limits: usd(30_000) })
  expect(await written()).not.toContain('"limits"')
  expect(await written()).toMatch(/"max_usd_minor":\s*30000/)
})

test('a method is switched off and on, and what was said of it otherwise stays', async () => {
  await changeSetting(
    mara,
    'payment_methods',
    '[{"code":"stripe","name":"Card","max_usd_minor":200000},{"code":"unknown-to-us"}]',
  )
  await change(mara, 'stripe', { enabled: false })
  expect(await offered('stripe')).toBeUndefined()
  expect((await known('stripe')).terms).toMatchObject({
    enabled: false,
    limits: { max_minor: 200_000, currency: 'USD' },
  })
  await change(mara, 'stripe', { enabled: true })
  expect(await offered('stripe')).toMatchObject({ name: { text: 'Card' }, maxMinor: 200_000n })
  const { value } = await ctx.db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', 'payment_methods')
    .executeTakeFirstOrThrow()
  expect(value).toContainEqual({ code: 'unknown-to-us' })
})

test.each([
  [{ currencies: ['XXX'] }, 'currencies', 'currency_unknown'],
  [{ countries: ['XX'] }, 'countries', 'country_unknown'],
  [{ fee: { minor: 5, currency: 'QQQ', basis_points: 0 } }, 'fee', 'currency_unknown'],
  [{ limits: { ...usd(400), min_minor: 500 } }, 'limits', 'below_least'],
])('%o is refused at its field', async (terms, field, reason) => {
  expect((await refused(change(mara, 'stripe', terms))).fields).toEqual({ [field]: reason })
})

test('two who change the same: the second is told, and nothing is overwritten', async () => {
  const { terms, version } = await known('stripe')
  await changeMethod(mara, { code: 'stripe', terms: { ...terms, limits: usd(1_000) }, version })
  const late = { code: 'stripe', terms: { ...terms, limits: usd(9_000) }, version }
  expect((await refused(changeMethod(mara, late))).code).toBe('changed_meanwhile')
  expect((await offered('stripe'))?.maxMinor).toBe(1_000n)
  // Another method's terms are their own.
  await change(mara, 'paypal', { limits: usd(2_000) })
  expect((await refused(changeMethod(mara, { ...late, code: 'nothing' }))).code).toBe('not_found')
})

test('the order is the one that was made, of the methods that were there', async () => {
  const { methods, version } = await listMethods(ctx.db)
  const codes = methods.map(({ method }) => method.code).toReversed()
  await orderMethods(mara, { codes, version })
  expect((await readPayMethods(ctx.db)).map(({ code }) => code)).toEqual(codes)
  expect((await refused(orderMethods(mara, { codes, version }))).code).toBe('changed_meanwhile')
  const now = (await listMethods(ctx.db)).version
  expect(
    (await refused(orderMethods(mara, { codes: codes.slice(1), version: now }))).fields,
  ).toEqual({ codes: 'not_allowed' })
})

test('with two people a change waits, holds once approved, and is refused where it was overtaken', async () => {
  const operator = await createOperator(mara, {
    name: 'fin',
    role: 'finance',
    password: PASSWORD,
  })
  const since = new Date(Date.now() - 48 * HOUR_MS)
  await sql`update operator set created_by = null, password_set_by = null, created_at = ${since}, password_set_at = ${since}`.execute(
    ctx.db,
  )
  const fin = actingAs(ctx, operator)
  const id = (await change(fin, 'stripe', { limits: usd(3_000) })) ?? ''
  expect((await offered('stripe'))?.maxMinor).not.toBe(3_000n)
  expect((await refused(approveAct(fin, id))).code).toBe('needs_another')
  await approveAct(mara, id)
  expect((await offered('stripe'))?.maxMinor).toBe(3_000n)

  const late = (await change(fin, 'stripe', { limits: usd(4_000) })) ?? ''
  await changeSetting(mara, 'payment_methods', '[{"code":"stripe","max_usd_minor":5000}]')
  expect((await refused(approveAct(mara, late))).code).toBe('changed_meanwhile')
  expect((await offered('stripe'))?.maxMinor).toBe(5_000n)

  const { methods, version } = await listMethods(ctx.db)
  const codes = methods.map(({ method }) => method.code).toReversed()
  const order = (await orderMethods(fin, { codes, version })) ?? ''
  await approveAct(mara, order)
  expect((await readPayMethods(ctx.db)).map(({ code }) => code)).toEqual(codes)
})
