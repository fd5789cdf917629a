import { beforeAll, expect, test } from 'vitest'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { addCurrencies, addItem } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { sendTestLetter } from '../readiness/commands.ts'
import { chooseGuide, chooseStep } from './commands.ts'
import { findTestLetter, listKeyItems, opensOnGuide, readGuideChoices } from './queries.ts'
import { viewGuide } from './rules.ts'

const database = useDatabase()
let owner: OperatorCtx
beforeAll(async () => {
  owner = await firstOwner(database.ctx)
})
const NOTHING = { skipped: [], hasLooked: false, whole: null }

test('an empty shop opens on the guide until somebody leaves it, and what is skipped is kept', async () => {
  const { ctx } = database
  expect(await opensOnGuide(ctx.db)).toBe(true)
  await chooseStep(owner, 'keys', 'skipped')
  await chooseStep(owner, 'look', 'done')
  await chooseGuide(owner, 'left')
  expect(await opensOnGuide(ctx.db)).toBe(false)
  expect(await readGuideChoices(ctx.db)).toEqual({
    skipped: ['keys'],
    hasLooked: true,
    whole: 'left',
  })
  await chooseStep(owner, 'keys', 'open')
  await chooseStep(owner, 'look', 'open')
  await chooseGuide(owner, 'open')
  expect(await readGuideChoices(ctx.db)).toEqual(NOTHING)
  // Nobody can say that keys are there: that follows from the shop.
  expect(await refused(chooseStep(owner, 'keys', 'done'))).toMatchObject({ code: 'check_fields' })
  const support = await hire(owner, 'support', 'lena')
  expect(await refused(chooseStep(support, 'keys', 'skipped'))).toMatchObject({ code: 'forbidden' })
})

test('a card key that came in was the first one, also when it is sold', () => {
  const stateOf = (hasHadKeys: boolean) =>
    viewGuide({
      ready: [{ name: 'keys', isDone: false }],
      hasPlaces: false,
      hasHadKeys,
      choices: NOTHING,
    }).steps.find(({ step }) => step === 'keys')?.state
  expect([stateOf(false), stateOf(true)]).toEqual(['open', 'done'])
})

test('a step is done by its facts, whatever was said of it', () => {
  const ready = [
    { name: 'factor', isDone: true },
    { name: 'identity', isDone: true },
    { name: 'texts', isDone: false },
    { name: 'mail', isDone: true },
    { name: 'letter', isDone: true },
  ] as const
  const view = viewGuide({
    ready,
    hasPlaces: true,
    hasHadKeys: false,
    choices: { ...NOTHING, skipped: ['mail', 'goods'] },
  })
  expect(view.steps.map(({ state }) => state)).toEqual([
    'done',
    'open',
    'done',
    'skipped',
    'open',
    'open',
    'done',
    'open',
  ])
  expect(view).toMatchObject({ done: 3, next: 'identity' })
})

test('goods that need codes are found, and the newest test letter is told of', async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  const item = await addItem(ctx)
  expect(await opensOnGuide(ctx.db)).toBe(false)
  expect((await listKeyItems(ctx.db, 5)).map(({ code, free }) => [code, free])).toEqual([
    [item.code, 0],
  ])
  expect(await findTestLetter(ctx.db)).toBeNull()
  await sendTestLetter(owner, 'mara@shop.example', 'en')
  expect(await findTestLetter(ctx.db)).toMatchObject({ sentAt: null, isFailing: false })
  await ctx.db.updateTable('outgoing_mail').set({ sent_at: ctx.now(), recipient: null }).execute()
  expect(await findTestLetter(ctx.db)).toMatchObject({ sentAt: expect.any(Date), failure: null })
})
