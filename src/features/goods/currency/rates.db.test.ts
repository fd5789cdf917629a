import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#platform/ctx.ts'
import { readHealth } from '#features/office/health/queries.ts'
import { healthProblems } from '#features/office/health/rules.ts'
import { addCurrencies } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { ecb } from '#providers/rates/ecb/service.ts'
import type { RateTable } from '#providers/rates/service.ts'
import {
  acceptRate,
  followRates,
  forgetQuotes,
  recordRates,
  refuseRate,
  setRateByHand,
} from './commands.ts'
import { fetchRates } from './flows.ts'
import { listCurrencies, listHeldRates, listRates, listStaleRates } from './queries.ts'
import { rateText } from './rules.ts'

const database = useDatabase()
const at = (moment: string): Ctx => ({ ...database.ctx, now: () => new Date(moment) })
const THURSDAY = '2026-11-26T17:00:00Z'
const FRIDAY = '2026-11-27T17:00:00Z'

beforeAll(() => addCurrencies(database.ctx))
beforeEach(async () => {
  const { db } = database.ctx
  await db.deleteFrom('currency_rate').execute()
  await db.deleteFrom('rate_quote').execute()
  await db.deleteFrom('setting').execute()
  await db
    .insertInto('currency_rate')
    .values(
      Object.entries({ USD: '1', EUR: '0.9', JPY: '150', KWD: '0.3', BHD: '0.376' }).map(
        ([currency, per_usd]) => ({
          currency,
          per_usd,
          source: 'catalogue:demo',
          observed_at: new Date('2026-11-01T00:00:00Z'),
          recorded_at: new Date('2026-11-01T00:00:00Z'),
        }),
      ),
    )
    .execute()
})

const setPolicy = (value: unknown) =>
  database.ctx.db
    .insertInto('setting')
    .values({ key: 'exchange_rates', value: JSON.stringify(value) })
    .onConflict((row) => row.column('key').doUpdateSet({ value: JSON.stringify(value) }))
    .execute()

const bank = (day: string, usd: string, jpy: string): RateTable => ({
  base: 'EUR',
  publishedAt: new Date(`${day}T00:00:00Z`),
  rates: new Map([
    ['USD', usd],
    ['JPY', jpy],
    ['GBP', '0.87'],
  ]),
})
const fromDollar = (moment: string, rates: Readonly<Record<string, string>>): RateTable => ({
  base: 'USD',
  publishedAt: new Date(moment),
  rates: new Map(Object.entries(rates)),
})
const inForce = async (currency: string, moment: string | null = null) => {
  const rates = await listRates(database.ctx.db, moment === null ? null : new Date(moment))
  const rate = rates.find((one) => one.currency === currency)
  return rate ? `${rateText(rate.perUsd).replace(/0+$/, '')} ${rate.source}` : null
}
const ORDER = { sources: ['ecb', 'open-exchange-rates', 'by-hand', 'catalogue'] }

test('nothing changes by itself, and a source that the order does not name is not asked', async () => {
  const asked: unknown[] = []
  const source = {
    fetch: (now: Date) => (asked.push(now), Promise.resolve(bank('2026-11-26', '1.1', '165'))),
  }
  expect(await fetchRates(at(THURSDAY), { service: ecb, source })).toBeNull()
  expect(await followRates(at(THURSDAY))).toEqual({ changed: [], held: [] })
  expect(asked).toEqual([])
  await setPolicy(ORDER)
  expect(await fetchRates(at(THURSDAY), { service: ecb, source })).toMatchObject({ quotes: 2 })
  // It has nothing newer before Friday's rates are there.
  expect(await fetchRates(at('2026-11-27T12:00:00Z'), { service: ecb, source })).toBeNull()
  expect(await fetchRates(at(FRIDAY), { service: ecb, source })).toMatchObject({ quotes: 0 })
  expect(asked).toHaveLength(2)
})

test('what a source says is crossed exactly through its base, and every rate that was in force is known later', async () => {
  await setPolicy(ORDER)
  await recordRates(at(THURSDAY), 'ecb', bank('2026-11-26', '1.1', '165'))
  await recordRates(at(FRIDAY), 'ecb', bank('2026-11-27', '1.12', '166'))
  const currencies = await listCurrencies(database.ctx.db)
  // 1/1.12 has no end as a decimal: it is kept as the fraction it is.
  expect(currencies.find(({ code }) => code === 'EUR')?.perUsd).toEqual({
    numerator: 25n,
    denominator: 28n,
  })
  expect(currencies.find(({ code }) => code === 'JPY')?.perUsd).toEqual({
    numerator: 2_075n,
    denominator: 14n,
  })
  expect([
    await inForce('JPY', '2026-11-25T00:00:00Z'),
    await inForce('JPY', '2026-11-27T12:00:00Z'),
    await inForce('KWD'),
    await inForce('USD'),
  ]).toEqual(['150. catalogue:demo', '150. ecb', '0.3 catalogue:demo', '1. catalogue:demo'])
  const before = await listCurrencies(database.ctx.db, new Date('2026-11-27T12:00:00Z'))
  expect(before.find(({ code }) => code === 'EUR')?.perUsd).toEqual({
    numerator: 10n,
    denominator: 11n,
  })
  // Releases before read the newest row, whose decimal is the same rate.
  const row = await database.ctx.db
    .selectFrom('currency_rate')
    .select(['per_usd', 'source', 'published_at'])
    .where('currency', '=', 'EUR')
    .orderBy('observed_at', 'desc')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({
    per_usd: '0.892857142857',
    source: 'ecb',
    published_at: new Date('2026-11-27T00:00:00Z'),
  })
})

test('a table is kept once, one that was corrected again, and one that is older never', async () => {
  await setPolicy(ORDER)
  const told = (jpy: string, day = '2026-11-27') =>
    recordRates(at(FRIDAY), 'ecb', bank(day, '1.1', jpy)).then(({ quotes }) => quotes)
  expect([
    await told('165'),
    await told('165.00'),
    await told('166'),
    await told('160', '2026-11-26'),
  ]).toEqual([2, 0, 1, 0])
  expect(await inForce('JPY')).toBe('150.909090909091 ecb')
})

test('two workers at once keep a table once', async () => {
  await setPolicy(ORDER)
  const table = bank('2026-11-27', '1.1', '165')
  const done = await Promise.all(
    Array.from({ length: 6 }, () => recordRates(at(FRIDAY), 'ecb', table)),
  )
  expect(done.map(({ quotes }) => quotes).toSorted()).toEqual([0, 0, 0, 0, 0, 2])
  const count = await database.ctx.db
    .selectFrom('currency_rate')
    .select('currency')
    .where('source', '=', 'ecb')
    .execute()
  expect(count.map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'JPY'])
})

test('the order says whose rate counts, a currency may have its own, and a folder does not overrule it', async () => {
  await setPolicy({ ...ORDER, currencies: { JPY: { sources: ['open-exchange-rates'] } } })
  await recordRates(at(FRIDAY), 'ecb', bank('2026-11-27', '1.1', '165'))
  await recordRates(
    at(FRIDAY),
    'open-exchange-rates',
    fromDollar(FRIDAY, { EUR: '0.92', JPY: '151', KWD: '0.31' }),
  )
  expect([await inForce('EUR'), await inForce('JPY'), await inForce('KWD')]).toEqual([
    '0.909090909091 ecb',
    '151. open-exchange-rates',
    '0.31 open-exchange-rates',
  ])
  await database.ctx.db
    .insertInto('currency_rate')
    .values({
      currency: 'EUR',
      per_usd: '0.95',
      source: 'catalogue:demo',
      observed_at: new Date('2026-12-01T00:00:00Z'),
    })
    .execute()
  expect(await followRates(at(FRIDAY))).toMatchObject({ changed: ['EUR'] })
  expect(await inForce('EUR')).toBe('0.909090909091 ecb')
  await database.ctx.db.deleteFrom('setting').execute()
  await followRates(at(FRIDAY))
  expect([await inForce('EUR'), await inForce('JPY')]).toEqual([
    '0.95 catalogue:demo',
    '150. catalogue:demo',
  ])
})

test('a spread is of the source, or of the currency in its place', async () => {
  await setPolicy({
    ...ORDER,
    spread_basis_points: { ecb: 50 },
    currencies: { JPY: { spread_basis_points: 200 } },
  })
  await recordRates(at(FRIDAY), 'ecb', bank('2026-11-27', '1.1', '165'))
  const spread = async (code: string) =>
    (await listCurrencies(database.ctx.db)).find((one) => one.code === code)?.spreadBasisPoints
  expect([await spread('EUR'), await spread('JPY'), await spread('KWD')]).toEqual([50, 200, 0])
  await setPolicy(ORDER)
  expect(await followRates(at(FRIDAY))).toMatchObject({ changed: ['EUR', 'JPY'] })
  expect([await spread('EUR'), await spread('JPY')]).toEqual([0, 0])
})

describe('a rate that jumps', () => {
  const held = async () =>
    (await listHeldRates(database.ctx.db)).map(
      ({ currency, changeBasisPoints }) => `${currency} ${changeBasisPoints}`,
    )
  const jump = async (jpy = '200') => {
    await setPolicy(ORDER)
    await recordRates(at(THURSDAY), 'ecb', bank('2026-11-26', '1.1', '165'))
    await recordRates(at(FRIDAY), 'ecb', bank('2026-11-27', '1.1', jpy))
  }
  const idOfHeld = async () => (await listHeldRates(database.ctx.db))[0]?.id ?? ''

  test('waits, while the one before stays in force and whoever runs the shop is told', async () => {
    await jump()
    expect(await held()).toEqual(['JPY 2121'])
    expect(await inForce('JPY')).toBe('150. ecb')
    const now = new Date(FRIDAY)
    const problems = healthProblems(await readHealth(database.ctx.db, now, []), now)
    expect(problems.find(({ kind }) => kind === 'rates_held')).toMatchObject({ count: 1 })
  })

  test('is in force once it is accepted, by somebody who may, once', async () => {
    await jump()
    const id = await idOfHeld()
    await expect(acceptRate(asOperator(at(FRIDAY), 'bao', 'support'), id)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const both = await Promise.allSettled([
      acceptRate(asOperator(at(FRIDAY)), id),
      refuseRate(asOperator(at(FRIDAY)), id),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await held()).toEqual([])
    const lines = await database.ctx.db
      .selectFrom('audit_log')
      .select(['actor', 'subject_code'])
      .where('subject', '=', 'rate_quote')
      .execute()
    expect(lines).toEqual([{ actor: 'operator:ann', subject_code: 'ecb JPY' }])
  })

  test('never is in force once it is refused, and the next one is looked at anew', async () => {
    await jump()
    await refuseRate(asOperator(at(FRIDAY)), await idOfHeld())
    await followRates(at(FRIDAY))
    expect([await held(), await inForce('JPY')]).toEqual([[], '150. ecb'])
    await recordRates(at('2026-11-30T17:00:00Z'), 'ecb', bank('2026-11-30', '1.1', '201'))
    expect(await held()).toHaveLength(1)
    await acceptRate(asOperator(at('2026-11-30T17:05:00Z')), await idOfHeld())
    expect(await inForce('JPY')).toBe('182.727272727273 ecb')
  })

  test('gives way to a newer one of its source', async () => {
    await jump()
    const first = await idOfHeld()
    await recordRates(at('2026-11-30T17:00:00Z'), 'ecb', bank('2026-11-30', '1.1', '166'))
    expect([await held(), await inForce('JPY')]).toEqual([[], '150.909090909091 ecb'])
    await expect(acceptRate(asOperator(at(FRIDAY)), first)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('by a slip of the hand waits as well; another is in force at once', async () => {
    const owner = asOperator(at(FRIDAY))
    expect(await setRateByHand(owner, 'EUR', '92')).toBe('held')
    expect(await setRateByHand(owner, 'EUR', '0.92')).toBe('in_force')
    expect([await held(), await inForce('EUR')]).toEqual([[], '0.92 by-hand'])
    await expect(setRateByHand(owner, 'XXX', '1')).rejects.toMatchObject({ code: 'not_found' })
    await expect(setRateByHand(owner, 'USD', '2')).rejects.toMatchObject({ code: 'not_found' })
    await setPolicy({ sources: ['ecb'] })
    expect(await setRateByHand(owner, 'KWD', '0.31')).toBe('not_chosen')
  })
})

test('over a weekend nothing is old; days of publication count, until nothing is sold and doctor says so', async () => {
  await setPolicy({ ...ORDER, stale_days: 2, stop_days: 5 })
  await recordRates(at(FRIDAY), 'ecb', bank('2026-11-27', '1.1', '165'))
  const old = async (moment: string) =>
    (await listStaleRates(database.ctx.db, new Date(moment))).map(
      ({ currency, isStopped }) => `${currency}${isStopped ? ' stopped' : ''}`,
    )
  expect(await old('2026-12-02T15:59:00Z')).toEqual([])
  expect(await old('2026-12-02T16:01:00Z')).toEqual(['EUR', 'JPY'])
  expect(await old('2026-12-07T15:59:00Z')).toEqual(['EUR', 'JPY'])
  expect(await old('2026-12-07T16:01:00Z')).toEqual(['EUR stopped', 'JPY stopped'])
  const eur = (await listCurrencies(database.ctx.db)).find(({ code }) => code === 'EUR')
  expect(eur?.rateValidUntil).toEqual(new Date('2026-12-07T16:00:00Z'))
  const now = new Date('2026-12-08T00:00:00Z')
  const problems = healthProblems(await readHealth(database.ctx.db, now, []), now)
  expect(problems.find(({ kind }) => kind === 'rates_stale')?.text).toBe(
    'the rate of exchange of EUR, JPY is old (ecb last published 2026-11-27); nothing is sold by that of EUR, JPY, see: npm run cli -- rates list',
  )
})

test('a source that falls silent gives way to one that does not, and takes its place again', async () => {
  await setPolicy(ORDER)
  await recordRates(at(FRIDAY), 'ecb', bank('2026-11-27', '1.1', '165'))
  const now = '2026-12-03T10:00:00Z'
  await recordRates(at(now), 'open-exchange-rates', fromDollar(now, { EUR: '0.92', JPY: '151' }))
  expect(await inForce('EUR')).toBe('0.92 open-exchange-rates')
  await recordRates(at('2026-12-03T17:00:00Z'), 'ecb', bank('2026-12-03', '1.1', '165'))
  expect(await inForce('EUR')).toBe('0.909090909091 ecb')
})

test('quotes that were never in force go after their term; those that were, and the newest, stay', async () => {
  await setPolicy(ORDER)
  await recordRates(at(THURSDAY), 'ecb', bank('2026-11-26', '1.1', '165'))
  // Another source stands before this one: nothing of it comes in force.
  await recordRates(at(THURSDAY), 'open-exchange-rates', fromDollar(THURSDAY, { JPY: '150.1' }))
  await recordRates(at(FRIDAY), 'open-exchange-rates', fromDollar(FRIDAY, { JPY: '150.2' }))
  const count = async () =>
    (await database.ctx.db.selectFrom('rate_quote').select('id').execute()).length
  const before = await count()
  expect(await forgetQuotes(at('2027-02-20T00:00:00Z'))).toBe(0)
  expect(await forgetQuotes(at('2027-03-20T00:00:00Z'))).toBe(1)
  expect(await count()).toBe(before - 1)
  expect(await inForce('JPY')).toBe('150. ecb')
})
