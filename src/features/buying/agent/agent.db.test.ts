import { expect, test } from 'vitest'
import { createKey } from '#features/buying/reseller/commands.ts'
import { sha256 } from '#platform/secrets.ts'
import { addCurrencies } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { somebody } from '../../../../test/support/people.ts'
import { answerProgram, askPerson, type AskedPurchase } from './commands.ts'
import { findConfirmation } from './queries.ts'

const database = useDatabase()

async function asking(): Promise<AskedPurchase> {
  const { ctx } = database
  const { accountId, email } = await somebody(ctx, { withPassword: false })
  const { key } = await createKey(asOperator(ctx), {
    email,
    name: 'A program',
    scopes: ['agent'],
    orderMax: 10_000n,
    dayMax: 10_000n,
    agentMax: null,
    networks: [],
  })
  const { id } = await ctx.db
    .selectFrom('reseller_key')
    .select('id')
    .where('public_id', '=', key)
    .executeTakeFirstOrThrow()
  return {
    accountId,
    keyId: id,
    reference: 'one',
    requestHash: sha256('goods'),
    lines: [],
    currency: 'USD',
    amountMinor: 1_900n,
  }
}

test('a program that asks many times at once is given one link, which the person finds', async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  const all = await asking()
  for (const reference of ['one', 'two', 'three']) {
    const asked = { ...all, reference }
    const links = await Promise.all(Array.from({ length: 6 }, () => askPerson(ctx, asked)))
    const ids = new Set(links.map(({ publicId }) => publicId))
    expect(ids.size).toBe(1)
    const [id = ''] = ids
    expect(await findConfirmation(ctx.db, asked.accountId, id, ctx.now())).toMatchObject({
      state: 'waiting',
    })
    await answerProgram(ctx, { id, accountId: asked.accountId, isAgreed: true })
    expect((await askPerson(ctx, asked)).state).toBe('approved')
  }
})

test('of two kinds of goods under one name at once the person is asked for one, and the other is refused', async () => {
  const { ctx } = database
  const asked = await asking()
  const other = { ...asked, requestHash: sha256('other goods') }
  const answers = await Promise.allSettled([askPerson(ctx, asked), askPerson(ctx, other)])
  const refusals = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [(answer.reason as { code?: unknown }).code] : [],
  )
  expect(refusals).toEqual(['conflict'])
})
