import { expect, test } from 'vitest'
import { SEAL as OPERATOR_SEAL } from '#features/team/operator/rules.ts'
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

test('apps of operators that the new key does not open are turned off with their codes and sessions, others stay', async () => {
  const { ctx } = database
  const [lost, kept] = [
    await operatorWithApp('mara', ctx.keys),
    await operatorWithApp('bao', third),
  ]
  await acceptProgramKey(asOperator({ ...ctx, keys: third }))
  const left = await ctx.db.selectFrom('operator_totp').select('operator_id').execute()
  expect(left).toEqual([{ operator_id: kept }])
  const codes = await ctx.db.selectFrom('operator_recovery_code').select('operator_id').execute()
  expect(codes).toEqual([{ operator_id: kept }])
  const trail = await ctx.db
    .selectFrom('audit_log')
    .select(['action', 'subject_code'])
    .where('action', '=', 'factor_removed')
    .execute()
  expect(trail).toEqual([{ action: 'factor_removed', subject_code: 'mara' }])
  expect(lost).not.toBe(kept)
})

/** @returns the operator's id */
async function operatorWithApp(name: string, keys = database.ctx.keys): Promise<string> {
  const { ctx } = database
  const id = ctx.newId()
  const now = ctx.now()
  const by = { created_at: now, created_by: 'shell', updated_at: now }
  const password = {
    password_hash: '$argon2id$none',
    password_set_at: now,
    password_set_by: 'shell',
  }
  await ctx.db
    .insertInto('operator')
    .values({ id, name, role: 'owner', ...by, ...password })
    .execute()
  await ctx.db
    .insertInto('operator_totp')
    .values({
      operator_id: id,
      sealed_seed: keys.seal(OPERATOR_SEAL, ctx.random(20)),
      confirmed_at: now,
    })
    .execute()
  await ctx.db
    .insertInto('operator_recovery_code')
    .values({ operator_id: id, code_hash: Buffer.from(ctx.random(32)) })
    .execute()
  return id
}
