import { expect, test } from 'vitest'
import {
  afterFailure,
  INPUT_DAYS,
  ATTEMPTS_MOST,
  WAIT_HOURS,
  type Failed,
  type UnitAfterFailure,
} from './rules.ts'
import { PRICE_TRIES } from '#features/supply/routing/rules.ts'
import { decide, nextAskAt, type Asking, type AttemptState } from './write/answer.ts'

const MADE = new Date('2026-11-26T12:00:00Z')
const after = (seconds: number) => new Date(MADE.getTime() + seconds * 1_000)
const attempt = (asked: number, status: AttemptState['status'] = 'unknown'): AttemptState => ({
  status,
  asked,
  createdAt: MADE,
})
const SILENT: Asking = {
  idempotency: 'lookup',
  notFoundIsFinalAfterSeconds: null,
  lookupMayBuyAfterSeconds: null,
}

test('it is asked after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and a day, and then a person is', () => {
  const times = [0, 1, 2, 3, 4, 5, 6, 7].map((asked) => nextAskAt(attempt(asked), SILENT, MADE))
  expect(times.map((at) => at && (at.getTime() - MADE.getTime()) / 1_000)).toEqual([
    10,
    30,
    120,
    600,
    3_600,
    21_600,
    86_400,
    null,
  ])
})

test('it is asked once its silence means something, and never when asking could buy again', () => {
  expect(
    nextAskAt(attempt(4), { ...SILENT, notFoundIsFinalAfterSeconds: 900 }, after(600)),
  ).toEqual(after(901))
  const buying = { ...SILENT, lookupMayBuyAfterSeconds: 3_000 }
  expect(nextAskAt(attempt(3), buying, after(121))).toEqual(after(600))
  expect(nextAskAt(attempt(4), buying, after(601))).toBeNull()
})

test('after an outage what is long due is asked in turn, not all at once', () => {
  expect(nextAskAt(attempt(1), SILENT, after(90_000))).toEqual(after(90_005))
})

test('not found before its time is no answer', () => {
  const asking = { ...SILENT, notFoundIsFinalAfterSeconds: 60 }
  expect(decide(attempt(1), { kind: 'not_found' }, asking, after(59)).kind).toBe('open')
  expect(decide(attempt(1), { kind: 'not_found' }, asking, after(60)).kind).toBe('fail')
  expect(decide(attempt(6), { kind: 'not_found' }, SILENT, after(86_400)).kind).toBe('open')
})

test('what is over is changed by what contradicts it alone', () => {
  const done = { kind: 'done', supplierId: 'x', cost: null } as const
  const failed = { kind: 'failed', class: 'supplier', code: 'E', text: '' } as const
  const of = (status: AttemptState['status'], answer: typeof done | typeof failed) =>
    decide(attempt(1, status), answer, SILENT, after(60)).kind
  expect([of('done', done), of('done', failed)]).toEqual(['none', 'reverse'])
  expect([of('failed', failed), of('failed', done)]).toEqual(['none', 'bought_late'])
  expect([of('late', failed), of('reversed', done)]).toEqual(['none', 'none'])
})

const UNIT: UnitAfterFailure = {
  supplier: 'one',
  other: 'two',
  isCorrectable: true,
  waitsSince: MADE,
  priceRefusals: 1,
  failures: 1,
}
const next = (failed: Partial<Failed>, unit: Partial<UnitAfterFailure> = {}, at = after(60)) =>
  afterFailure(
    { class: 'supplier', code: 'E', text: '', until: null, ...failed },
    { ...UNIT, ...unit },
    at,
  )

test('whose matter a failure is decides what becomes of the unit', () => {
  expect(next({ class: 'customer' })).toEqual({
    kind: 'needs_input',
    until: after(60 + INPUT_DAYS * 86_400),
  })
  expect(next({ class: 'customer' }, { isCorrectable: false }).kind).toBe('give_up')
  expect(next({})).toMatchObject({ kind: 'queue', supplier: 'two' })
  expect(next({ class: 'stock' }, { other: null }).kind).toBe('give_up')
  expect(next({ class: 'price' }, { priceRefusals: PRICE_TRIES })).toMatchObject({
    supplier: 'two',
  })
  expect(next({ class: 'price' }, { priceRefusals: PRICE_TRIES, other: null }).kind).toBe('hold')
  expect(next({}, { failures: ATTEMPTS_MOST }).kind).toBe('hold')
  expect(next({ class: 'wait' }, { failures: ATTEMPTS_MOST }).kind).toBe('queue')
})

test('"later", what is ours and what was never reached give nothing back at once', () => {
  const until = after(7_200)
  expect(next({ class: 'wait', until }, { other: null })).toMatchObject({ dueAt: until })
  expect(next({ class: 'ours', until })).toMatchObject({ supplier: 'one', dueAt: until })
  expect(next({ code: 'not_sent' }, { other: null })).toMatchObject({ supplier: 'one' })
  const over = after(WAIT_HOURS * 3_600 + 1)
  expect(next({ class: 'wait' }, { other: null }, over).kind).toBe('give_up')
  expect(next({ code: 'not_sent' }, { other: null }, over).kind).toBe('give_up')
  expect(next({ class: 'ours' }, { other: null }, over).kind).toBe('queue')
})

test('two suppliers that both say "later" are not asked in a circle, and after another day it is a person\'s', () => {
  const day = WAIT_HOURS * 3_600
  const other = next({ class: 'wait' }, {}, after(day + 1))
  expect(other).toMatchObject({ kind: 'queue', supplier: 'two' })
  expect(other.kind === 'queue' && other.dueAt > after(day + 60)).toBe(true)
  expect(next({ class: 'wait' }, {}, after(2 * day + 1))).toEqual({ kind: 'hold', supplier: 'one' })
})
