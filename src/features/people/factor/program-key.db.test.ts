import { expect, test } from 'vitest'
import { createKeys } from '#platform/keys.ts'
import { addAccount } from '../../../../test/support/accounts.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { acceptProgramKey, checkProgramKey } from './commands.ts'
import { findKeyProblem, hasSecondFactor, readCheckValue } from './queries.ts'
import { SEAL } from './rules.ts'

const database = useDatabase()
const other = createKeys(Buffer.alloc(32, 8))
const third = createKeys(Buffer.alloc(32, 9))

/** Somebody with an authenticator app whose seed lies sealed with these keys. */
async function withSeed(keys = database.ctx.keys): Promise<string> {
  const { ctx } = database
  const accountId = await addAccount(ctx)
  await ctx.db
    .insertInto('second_factor')
    .values({
      account_id: accountId,
      sealed_seed: keys.seal(SEAL, ctx.random(20)),
      confirmed_at: ctx.now(),
    })
    .execute()
  return accountId
}

test('a shop in which nothing goes by its key takes another one; from the first seed on it is refused, and so is none', async () => {
  const { ctx } = database
  await checkProgramKey(ctx, null)
  expect(await readCheckValue(ctx.db)).toBeNull()
  await checkProgramKey(ctx, other)
  await checkProgramKey(ctx, ctx.keys)
  await withSeed()
  await checkProgramKey(ctx, ctx.keys)
  await expect(checkProgramKey(ctx, other)).rejects.toThrow(
    /^SECRET_KEY, or secret\.key in DATA_DIR, is another one than this shop was made with/,
  )
  await expect(checkProgramKey(ctx, null)).rejects.toThrow(/^secret\.key is missing in DATA_DIR/)
  // What was refused changed nothing.
  expect(await findKeyProblem(ctx, ctx.keys)).toBeNull()
})

test('a shop of before the check is known by a seed that opens', async () => {
  const { ctx } = database
  await ctx.db.deleteFrom('program_key').execute()
  await expect(checkProgramKey(ctx, other)).rejects.toThrow(/is another one/)
  expect(await readCheckValue(ctx.db)).toBeNull()
  await checkProgramKey(ctx, ctx.keys)
  await expect(checkProgramKey(ctx, other)).rejects.toThrow(/is another one/)
})

test('an owner who has lost the key goes on under another: apps it cannot open are turned off, and their owners told', async () => {
  const { ctx } = database
  const [lost, kept] = [await withSeed(), await withSeed(third)]
  await expect(
    acceptProgramKey(asOperator({ ...ctx, keys: third }, 'sam', 'support')),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await acceptProgramKey(asOperator({ ...ctx, keys: third }))
  await checkProgramKey(ctx, third)
  await expect(checkProgramKey(ctx, ctx.keys)).rejects.toThrow(/is another one/)
  expect([await hasSecondFactor(ctx.db, lost), await hasSecondFactor(ctx.db, kept)]).toEqual([
    false,
    true,
  ])
  const mails = await ctx.db
    .selectFrom('outgoing_mail')
    .select(['kind', 'account_id'])
    .where('account_id', 'in', [lost, kept])
    .execute()
  expect(mails).toEqual([{ kind: 'factor_removed', account_id: lost }])
  const trail = await ctx.db
    .selectFrom('audit_log')
    .select(['actor', 'action'])
    .where('subject', '=', 'program_key')
    .execute()
  expect(trail).toEqual([{ actor: 'operator:ann', action: 'accept' }])
})
