import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayIn } from '#kernel/day.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { addMisses, countVisits, forgetMisses, recordVisit } from './commands.ts'
import { createPageCounter } from './flows.ts'
import { isVisitId, MISS_DAYS, missedWords, MISSES_A_DAY } from './rules.ts'

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

test('days that are over become a number each, and their rows go; counting them twice adds nothing', async () => {
  const { db } = database.ctx
  await db.deleteFrom('visit').execute()
  const at = (text: string) => ({ db, now: () => new Date(text) })
  for (const [day, visits] of [
    ['2026-11-01', 3],
    ['2026-11-02', 2],
    ['2026-11-20', 1],
  ] as const)
    for (let visit = 0; visit < visits; visit += 1)
      await recordVisit(at(`${day}T10:00:00Z`), randomUUID(), 'UTC')
  await countVisits(at('2026-11-21T12:00:00Z'))
  await recordVisit(at('2026-11-02T10:00:00Z'), randomUUID(), 'UTC')
  for (let times = 0; times < 2; times += 1) await countVisits(at('2026-11-21T12:00:00Z'))
  const counted = await db
    .selectFrom('visit_count')
    .select(['day', 'visits'])
    .orderBy('day')
    .execute()
  expect(counted.map(({ day, visits }) => [dayIn('UTC', day), visits])).toEqual([
    ['2026-11-01', '3'],
    ['2026-11-02', '3'],
  ])
  const left = await db.selectFrom('visit').select('day').execute()
  expect(left.map(({ day }) => dayIn('UTC', day))).toEqual(['2026-11-20'])
})

test('whoever makes up ids fills the room of a day and no more', async () => {
  const { db } = database.ctx
  const now = () => new Date('2026-11-25T10:00:00Z')
  const alike = sha256Of(VISIT).subarray(0, 2)
  await sql`insert into visit (day, visit_id_hash)
    select '2026-11-25', ${alike}::bytea || substring(sha256(place::text::bytea) for 30) from generate_series(1, 32) as place`.execute(
    db,
  )
  const count = async () =>
    (await db.selectFrom('visit').select('day').where(sql`day::text`, '=', '2026-11-25').execute())
      .length
  await recordVisit({ db, now }, VISIT, 'UTC')
  expect(await count()).toBe(32)
  await recordVisit({ db, now }, VISIT.replace('a', 'b'), 'UTC')
  expect(await count()).toBe(33)
})

const sha256Of = (text: string) => createHash('sha256').update(text).digest()

test('words of a search are made alike, and nothing that may tell of a person or a key is kept', () => {
  expect(missedWords('  ＺELDA,  Tears of the KINGDOM! ')).toBe('zelda tears of the kingdom')
  expect(missedWords('قسيمة روبلوكس')).toBe('قسيمة روبلوكس')
  expect(missedWords('原神')).toBe('原神')
  for (const words of ['fifa 24', 'ps5', 'gta v', 'xbox 360', 'windows 11 pro'])
    expect(missedWords(words)).toBe(words)
  for (const text of [
    'ann@example.com',
    'ann at shop.com',
    'https://x.example/a',
    '+49 170 1234567',
    '0 17 0 1 2 3 4',
    '4111 1111 1111 1111',
    'order 4821730951266',
    'ABCD-1234-EFGH',
    'A1B2C3D4',
    'a',
    '12 34',
    '---',
    'x'.repeat(26),
    'a much longer sentence than anybody types who looks for a game',
  ])
    expect([text, missedWords(text)]).toEqual([text, null])
})

test('a day holds so many different words, and goes on counting those it has', async () => {
  const { db } = database.ctx
  const at = (text: string) => ({ db, now: () => new Date(text) })
  const day = at('2026-11-20T10:00:00Z')
  const all = new Map(Array.from({ length: MISSES_A_DAY + 20 }, (_, index) => [`game ${index}`, 1]))
  await addMisses(day, all, 'UTC')
  await addMisses(
    day,
    new Map([
      ['game 0', 2],
      ['one more', 5],
    ]),
    'UTC',
  )
  const rows = await db.selectFrom('search_miss').select(['words', 'searches']).execute()
  expect(rows).toHaveLength(MISSES_A_DAY)
  expect(rows.find(({ words }) => words === 'game 0')?.searches).toBe(3)
  await forgetMisses({ db, now: () => new Date(Date.parse('2026-11-21') + MISS_DAYS * 86_400_000) })
  expect(await db.selectFrom('search_miss').selectAll().execute()).toEqual([])
})

test('a process writes the words that it was told, without those that tell of somebody', async () => {
  const { ctx } = database
  const counter = createPageCounter(ctx, 'UTC', 3_600_000)
  for (const words of ['Zelda', 'zelda!', 'ann@example.com']) counter.missed(words)
  await counter.close()
  expect(await ctx.db.selectFrom('search_miss').select(['words', 'searches']).execute()).toEqual([
    { words: 'zelda', searches: 2 },
  ])
})
