import { beforeAll, expect, test } from 'vitest'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { approveAct } from '#features/office/approval/commands.ts'
import { listWaiting } from '#features/team/approval/queries.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { saveLegalText } from './commands.ts'
import { listLegalTexts, readSamplePages } from './queries.ts'
import { sectionsOf, writtenText } from './rules.ts'

const database = useDatabase()
let owner: OperatorCtx
beforeAll(async () => {
  owner = await firstOwner(database.ctx)
})
const find = async (code: string) =>
  (await listLegalTexts(database.ctx.db)).find((text) => text.code === code)

test('a text is written as people type it, and read back the same', () => {
  expect(sectionsOf('# Who sells\nWe do.\n\nNobody else.')).toEqual([
    { heading: 'Who sells', paragraphs: ['We do.', 'Nobody else.'] },
  ])
  expect(sectionsOf('Only this.')).toEqual([{ paragraphs: ['Only this.'] }])
  for (const nothing of [
    '',
    '  \n',
    '# A heading alone',
    '# One\n# Two\n\nBelow.',
    'x'.repeat(4_001),
  ])
    expect(sectionsOf(nothing)).toBeNull()
  const text = 'First.\n\n# Then\n\nSecond.\n\nThird.'
  expect(writtenText(sectionsOf(text) ?? [])).toBe(text)
})

test('a legal text is the sample until it is written anew, and two people never overwrite each other', async () => {
  const sample = (await readSamplePages()).get('sales-terms')
  const code = 'sales-terms'
  expect(await find(code)).toMatchObject({ text: '', version: '', isSample: false })
  const { title = '', text = '' } = sample ?? {}
  await saveLegalText(owner, { code, title, text, version: '' })
  const first = await find(code)
  expect(first).toMatchObject({ title, text, isSample: true })

  const own = { code, title: 'Our terms', text: `${text}\n\nOurs.` } as const
  expect(await refused(saveLegalText(owner, { ...own, version: '' }))).toMatchObject({
    code: 'changed_meanwhile',
  })
  await saveLegalText(owner, { ...own, version: first?.version ?? '' })
  expect(await find(code)).toMatchObject({ title: 'Our terms', isSample: false })
  const version = (await find(code))?.version ?? ''
  for (const wrong of [{ title: ' ' }, { text: '' }, { text: '# Nothing below' }])
    expect(await refused(saveLegalText(owner, { ...own, version, ...wrong }))).toMatchObject({
      code: 'check_fields',
    })
  const support = await hire(owner, 'support', 'lena')
  expect(await refused(saveLegalText(support, { ...own, version }))).toMatchObject({
    code: 'forbidden',
  })
})

test('where somebody else could approve it a text waits for them, as it was asked for and of the text that it was made from', async () => {
  const { ctx } = database
  const other = await hire(owner, 'owner', 'omar')
  const code = 'terms-of-use'
  const asked = { code, title: 'Terms', text: 'We sell.', version: '' } as const
  const first = (await saveLegalText(owner, asked)) ?? ''
  expect(first).not.toBe('')
  expect((await find(code))?.text).toBe('')
  expect(await refused(approveAct(owner, first))).not.toBeNull()
  await approveAct(other, first)
  expect(await find(code)).toMatchObject({ title: 'Terms', text: 'We sell.' })

  const version = (await find(code))?.version ?? ''
  const second = (await saveLegalText(owner, { ...asked, text: 'We sell more.', version })) ?? ''
  await ctx.db
    .updateTable('article')
    .set({ title: 'Changed meanwhile' })
    .where('code', '=', code)
    .execute()
  expect(await refused(approveAct(other, second))).toMatchObject({ code: 'changed_meanwhile' })
  expect((await find(code))?.text).toBe('We sell.')
  expect(await listWaiting(ctx.db, ctx.now(), 10)).toHaveLength(1)
})
