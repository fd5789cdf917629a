import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { changeText } from '#features/office/text/commands.ts'
import { listTexts } from '#features/office/text/queries.ts'
import { hashOf, NO_VERSION, programText } from '#features/office/text/engine/texts.ts'
import { isAppError } from '#kernel/error.ts'
import { replaceTexts, translatorOf } from '#platform/i18n/messages.ts'
import { useDatabase } from '../test/support/database.ts'
import { asOperator, firstOwner } from '../test/support/operators.ts'
import { followTexts } from './text-overrides.ts'

const database = useDatabase()
const owner = (name = 'ann') => asOperator(database.ctx, name)
const cart = { language: 'th', key: 'shell.cart' } as const
const WITHIN = { timeout: 5_000, interval: 20 }

afterEach(async () => {
  await database.ctx.db.deleteFrom('text_override').execute()
  replaceTexts([])
})

async function fieldsOf(asked: Promise<unknown>) {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  )
  return isAppError(error) ? error.fields.map(({ field, reason }) => [field, reason]) : error
}

test('own words are taken up by a running process, and taken back', async () => {
  const { ctx, url } = database
  const heard = vi.fn()
  const followed = await followTexts(ctx, url)
  followed.onChange(heard)
  try {
    await changeText(owner(), { ...cart, text: 'ตะกร้าของฉัน', version: NO_VERSION })
    await vi.waitFor(() => expect(translatorOf('th')('shell.cart')).toBe('ตะกร้าของฉัน'), WITHIN)
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce(), WITHIN)
    await changeText(owner(), { ...cart, text: null, version: hashOf('ตะกร้าของฉัน') })
    const original = programText('th', 'shell.cart')?.original
    await vi.waitFor(() => expect(translatorOf('th')('shell.cart')).toBe(original), WITHIN)
  } finally {
    await followed.close()
  }
})

test('a process that starts has the words from the first page on, and a row that cannot be read stops nothing', async () => {
  const { ctx, url } = database
  const row = { original_hash: NO_VERSION, made_by: 'operator:ann', made_at: new Date() }
  await ctx.db
    .insertInto('text_override')
    .values([
      { ...cart, text: 'ถุง', ...row },
      { language: 'en', key: 'shell.cart', text: '{count, plural, one {', ...row },
    ])
    .execute()
  const followed = await followTexts(ctx, url)
  expect(translatorOf('th')('shell.cart')).toBe('ถุง')
  expect(translatorOf('en')('shell.cart')).toBe(programText('en', 'shell.cart')?.original)
  await followed.close()
})

test('words are checked, kept with who wrote them, and never overwrite another’s', async () => {
  const { ctx } = database
  const change = (text: string | null, version = NO_VERSION, by = 'ann') =>
    changeText(owner(by), { ...cart, text, version })
  expect(await fieldsOf(change('{count, plural, one {'))).toEqual([['text', 'not_message']])
  expect(await fieldsOf(change('ถุงของ {name}'))).toEqual([['text', 'other_values']])
  await expect(
    changeText(owner(), { language: 'th', key: 'shell.gone', text: 'x', version: NO_VERSION }),
  ).rejects.toMatchObject({ code: 'not_found' })
  await change('ถุง', NO_VERSION, 'bao')
  expect(await fieldsOf(change('ตะกร้า'))).toEqual([['text', 'changed_elsewhere']])
  const filter = { language: 'th', query: 'shell.cart', area: null, isOwnOnly: true } as const
  const { texts } = await listTexts(ctx.db, filter, null, 10)
  expect(texts).toMatchObject([
    { key: 'shell.cart', own: { text: 'ถุง', madeBy: 'operator:bao' }, isOriginalChanged: false },
  ])
  // The release has another text by now.
  await ctx.db
    .updateTable('text_override')
    .set({ original_hash: hashOf('before') })
    .execute()
  const again = await listTexts(ctx.db, filter, null, 10)
  expect(again.texts).toMatchObject([{ isOriginalChanged: true }])
  // The original typed again is no word of one's own.
  await change(programText('th', 'shell.cart')?.original ?? '', hashOf('ถุง'))
  expect((await listTexts(ctx.db, filter, null, 10)).texts).toEqual([])
  const trail = await ctx.db
    .selectFrom('audit_log')
    .select(['actor', 'subject_code', 'after'])
    .where('subject', '=', 'text_override')
    .orderBy('at')
    .execute()
  expect(trail.slice(-2)).toEqual([
    { actor: 'operator:bao', subject_code: 'th/shell.cart', after: { text: 'ถุง' } },
    { actor: 'operator:ann', subject_code: 'th/shell.cart', after: { text: null } },
  ])
  const support = asOperator(ctx, 'sue', 'support')
  await expect(
    changeText(support, { ...cart, text: 'x', version: NO_VERSION }),
  ).rejects.toMatchObject({ code: 'forbidden' })
})

test('every owner is told where what shoppers read about paying becomes another', async () => {
  const { ctx } = database
  const mara = await firstOwner(ctx)
  await sql`update operator set email = 'mara@shop.example' where name = 'mara'`.execute(ctx.db)
  const told = async () => {
    const { rows } = await sql<{ label: string }>`
      select params #>> '{alert,matters,0,label}' as label from outgoing_mail where recipient = 'mara@shop.example'`.execute(
      ctx.db,
    )
    return rows.map(({ label }) => label)
  }
  await changeText(mara, { ...cart, text: 'ถุง', version: NO_VERSION })
  expect(await told()).toEqual([])
  const text = 'Transfer it to another account.'
  const paying = { language: 'en', key: 'cashier.transferText', text, version: NO_VERSION } as const
  await changeText(mara, paying)
  expect(await told()).toEqual(['changed_alone'])
})

test('texts are listed a page at a time, in the order of their keys', async () => {
  const filter = { language: 'de', query: '', area: 'shell', isOwnOnly: false } as const
  const first = await listTexts(database.ctx.db, filter, null, 5)
  const second = await listTexts(database.ctx.db, filter, first.next, 5)
  const keys = [...first.texts, ...second.texts].map(({ key }) => key)
  expect(keys).toHaveLength(10)
  expect(keys).toEqual(keys.toSorted())
  expect(new Set(keys).size).toBe(10)
})
