import { afterEach, beforeAll, expect, test } from 'vitest'
import { addCurrencies, violations } from '../../../../test/support/buying.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { grantCreditByOperator } from './commands.ts'
import { getSpendable } from './queries.ts'

const database = useDatabase()

beforeAll(() => addCurrencies(database.ctx))
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

test('credit is given to somebody who may buy, by any spelling of the address, and to nobody else', async () => {
  const { email, accountId } = await somebody(database.ctx, { withPassword: false })
  const grant = (minor: bigint, to = email) =>
    grantCreditByOperator(asOperator(database.ctx, 'ann', 'support'), {
      email: to,
      money: { minor, currency: 'USD' },
    })
  expect(await grant(1_000n, email.toUpperCase())).toBeNull()
  expect(await getSpendable(database.ctx.db, accountId, 'USD')).toBe(1_000n)
  expect((await refused(grant(1n, 'nobody@shop.example'))).code).toBe('not_found')
  const now = database.ctx.now()
  await database.ctx.db
    .updateTable('account')
    .set({ status: 'cancelling', cancel_requested_at: now, erase_at: now })
    .where('id', '=', accountId)
    .execute()
  expect((await refused(grant(1n))).code).toBe('not_found')
})
