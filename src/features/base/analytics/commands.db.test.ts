import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import { recordVisit } from './commands.ts'
import { createPageCounter } from './flows.ts'
import { dayIn, isVisitId } from './rules.ts'

const database = useDatabase()
const VISIT = 'a3c41d0e-55f0-4f6e-9a54-0d4f3c0c7a11'

test('a visit counts once a day of the shop, and its id is not kept', async () => {
  const { db } = database.ctx
  const at = (text: string) => ({ db, now: () => new Date(text) })
  await recordVisit(at('2026-11-20T10:00:00Z'), VISIT, 'UTC')
  await recordVisit(at('2026-11-20T23:59:59Z'), VISIT, 'UTC')
  await recordVisit(at('2026-11-20T23:59:59Z'), VISIT, 'Asia/Tokyo')
  await recordVisit(at('2026-11-20T10:00:00Z'), VISIT.replace('a', 'b'), 'UTC')
  const rows = await db.selectFrom('visit').selectAll().execute()
  expect(rows).toHaveLength(3)
  expect(
    rows.every(
      (row) =>
        row.visit_id_hash.length === 32 && !row.visit_id_hash.toString('latin1').includes('a3c4'),
    ),
  ).toBe(true)
})

test('only 36 letters, digits and hyphens name a visit', () => {
  expect(isVisitId(VISIT)).toBe(true)
  for (const text of [
    '',
    VISIT.slice(1),
    `${VISIT}x`,
    VISIT.replace('-', '_'),
    `${VISIT.slice(1)}\n`,
  ])
    expect(isVisitId(text)).toBe(false)
})

test('a day is a day of the time zone', () => {
  const moment = new Date('2026-11-20T23:30:00Z')
  expect([
    dayIn('UTC', moment),
    dayIn('Asia/Tokyo', moment),
    dayIn('America/New_York', moment),
  ]).toEqual(['2026-11-20', '2026-11-21', '2026-11-20'])
})

test('pages shown are a number of the day and nothing else, added up however many processes count', async () => {
  const { db, log } = database.ctx
  const now = () => new Date('2026-11-20T10:00:00Z')
  const counters = [1, 2].map(() => createPageCounter({ db, log, now }, 'UTC', 60_000))
  for (let page = 0; page < 30; page += 1) for (const { count } of counters) count()
  await Promise.all(counters.map((counter) => counter.close()))
  expect(await db.selectFrom('page_count').select(['pages']).execute()).toEqual([{ pages: '60' }])
})

test('pages that cannot be written are not lost', async () => {
  const { db, log } = database.ctx
  let day = new Date(Number.NaN)
  const counter = createPageCounter({ db, log, now: () => day }, 'UTC', 20)
  counter.count()
  await new Promise((resolve) => setTimeout(resolve, 100))
  day = new Date('2026-11-21T10:00:00Z')
  await counter.close()
  expect(
    await db
      .selectFrom('page_count')
      .select('pages')
      .where(sql`day::text`, '=', '2026-11-21')
      .execute(),
  ).toEqual([{ pages: '1' }])
})
