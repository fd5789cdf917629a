import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused, somebody } from '../../../../test/support/people.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import {
  checkCode,
  consumeCode,
  consumeSecret,
  countTry,
  issueDecoy,
  issueVerification,
  type NewVerification,
} from './commands.ts'
import { peekSecret } from './queries.ts'

const database = useDatabase()
const NOON = new Date('2026-03-04T12:00:00Z')
const at = (minutes: number): Ctx => ({
  ...database.ctx,
  now: () => new Date(NOON.getTime() + minutes * 60_000),
})

async function issued(
  ctx: Ctx,
  wanted: Partial<NewVerification>,
): Promise<{ code: string; secret: string }> {
  const made = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: 'register',
      accountId: null,
      target: '',
      withCode: true,
      withSecret: true,
      ...wanted,
    }),
  )
  return { code: made.code ?? '', secret: made.secret ?? '' }
}

const use = async (ctx: Ctx, target: string, code: string) => {
  const checked = await checkCode(ctx, { purpose: 'register', target, accountId: null, code })
  return transaction(ctx, (tx) => consumeCode(tx, ctx, checked))
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('of 100 uses of one code at the same time exactly one succeeds', async () => {
  const { code } = await issued(at(0), { target: 'many@shop.example' })
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, () => use(at(1), 'many@shop.example', code)),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected')
      expect((result.reason as { code: string }).code).toBe('check_fields')
})

test('of 100 uses of one link at the same time exactly one succeeds', async () => {
  const { secret } = await issued(at(0), { target: 'link@shop.example' })
  const consume = () =>
    transaction(at(1), (tx) => consumeSecret(tx, at(1), { purpose: 'register', secret }))
  const results = await Promise.allSettled(Array.from({ length: 100 }, consume))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await refused(consume())).code).toBe('link_expired')
})

test('of 100 wrong codes at the same time five are looked at, and then the right one is too late', async () => {
  const target = 'guess@shop.example'
  const { code } = await issued(at(0), { target })
  await Promise.allSettled(Array.from({ length: 100 }, () => use(at(1), target, wrong(code))))
  const row = await database.ctx.db
    .selectFrom('verification')
    .select('tries')
    .where('target', '=', target)
    .executeTakeFirstOrThrow()
  expect(row.tries).toBe(5)
  expect((await refused(use(at(1), target, code))).fields).toEqual({ code: 'code_wrong' })
})

test('a wrong code stays counted when the transaction around it fails, and a right one is not used up by one that fails', async () => {
  const target = 'again@shop.example'
  const { code } = await issued(at(0), { target })
  for (let n = 0; n < 4; n += 1) await refused(use(at(1), target, wrong(code)))
  for (let n = 0; n < 7; n += 1) {
    const checked = await checkCode(at(1), { purpose: 'register', target, accountId: null, code })
    await transaction(at(1), async (tx) => {
      await consumeCode(tx, at(1), checked)
      throw new Error('the user name is taken')
    }).catch(() => {})
  }
  expect((await use(at(1), target, ` ${code} `)).target).toBe(target)
})

test('a code lives ten minutes, the link beside it as long as its purpose says', async () => {
  const target = 'late@shop.example'
  const { code, secret } = await issued(at(0), { target })
  expect((await refused(use(at(10), target, code))).fields).toEqual({ code: 'code_wrong' })
  expect(
    await peekSecret(database.ctx.db, at(24 * 60 - 1), { purpose: 'register', secret }),
  ).toMatchObject({ target })
  expect(await peekSecret(database.ctx.db, at(24 * 60), { purpose: 'register', secret })).toBeNull()
  expect(
    (
      await refused(
        transaction(at(24 * 60), (tx) =>
          consumeSecret(tx, at(24 * 60), { purpose: 'register', secret }),
        ),
      )
    ).code,
  ).toBe('link_expired')
})

test('links live 30 minutes to reset, 24 hours to unfreeze, 30 days to undo', async () => {
  const { accountId } = await somebody(database.ctx)
  for (const [purpose, minutes] of [
    ['reset', 30],
    ['unfreeze', 1440],
    ['undo_cancel', 43_200],
  ] as const) {
    const { secret } = await issued(at(0), { purpose, accountId, withCode: false })
    expect(await peekSecret(database.ctx.db, at(minutes - 1), { purpose, secret })).not.toBeNull()
    expect(await peekSecret(database.ctx.db, at(minutes), { purpose, secret })).toBeNull()
  }
})

test('a new code takes the place of the old one, and parallel ones leave one living', async () => {
  const target = 'twice@shop.example'
  const first = await issued(at(0), { target })
  const made = await Promise.all(Array.from({ length: 20 }, () => issued(at(1), { target })))
  const rows = await database.ctx.db
    .selectFrom('verification')
    .select('id')
    .where('target', '=', target)
    .execute()
  expect(rows).toHaveLength(1)
  expect(
    await peekSecret(database.ctx.db, at(1), { purpose: 'register', secret: first.secret }),
  ).toBeNull()
  const living = await Promise.all(
    made.map(({ secret }) => peekSecret(database.ctx.db, at(1), { purpose: 'register', secret })),
  )
  expect(living.filter((row) => row !== null)).toHaveLength(1)
})

test('a code is worth nothing for another purpose, address or account', async () => {
  const { accountId } = await somebody(database.ctx)
  const target = 'bound@shop.example'
  const { code, secret } = await issued(at(0), { target, purpose: 'email', accountId })
  for (const owner of [
    { purpose: 'proof', target, accountId },
    { purpose: 'email', target: 'other@shop.example', accountId },
    { purpose: 'email', target, accountId: null },
  ] as const)
    expect((await refused(checkCode(at(1), { ...owner, code }))).code).toBe('check_fields')
  expect(await peekSecret(database.ctx.db, at(1), { purpose: 'reset', secret })).toBeNull()
  await checkCode(at(1), { purpose: 'email', target, accountId, code })
})

test('no code fits a decoy, and a try of it is written down as of a real one', async () => {
  const owner = { purpose: 'reset', target: 'nobody@shop.example', accountId: null } as const
  await transaction(at(0), (tx) => issueDecoy(tx, at(0), owner))
  for (const code of ['000000', '123456', ''])
    expect((await refused(checkCode(at(1), { ...owner, code }))).code).toBe('check_fields')
  const row = await database.ctx.db
    .selectFrom('verification')
    .select(['tries', 'secret_hash'])
    .where('target', '=', owner.target)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ tries: 3, secret_hash: null })
})

test('neither code nor link can be read in the table', async () => {
  const { code, secret } = await issued(at(0), { target: 'hidden@shop.example' })
  const row = await database.ctx.db
    .selectFrom('verification')
    .selectAll()
    .where('target', '=', 'hidden@shop.example')
    .executeTakeFirstOrThrow()
  const dump = JSON.stringify(row, (_key, value: unknown) =>
    Buffer.isBuffer(value) ? value.toString('latin1') : value,
  )
  expect(dump).not.toContain(secret)
  expect(dump).not.toContain(code)
})

test('a ticket takes five tries', async () => {
  const { accountId } = await somebody(database.ctx)
  const { secret } = await issued(at(0), { purpose: 'second_factor', accountId, withCode: false })
  const counted = await Promise.all(
    Array.from({ length: 30 }, () => countTry(at(1), { purpose: 'second_factor', secret })),
  )
  expect(counted.filter((row) => row !== null)).toHaveLength(5)
})

test('hostile secrets and codes are refused like wrong ones', async () => {
  for (const text of ['', 'x'.repeat(100_000), '\u0000', "' or 1=1 --", '\ud800', '１２３４５６']) {
    expect(
      (
        await refused(
          checkCode(at(0), {
            purpose: 'register',
            target: 'bad@shop.example',
            accountId: null,
            code: text,
          }),
        )
      ).code,
    ).toBe('check_fields')
    expect(
      (
        await refused(
          transaction(at(0), (tx) => consumeSecret(tx, at(0), { purpose: 'reset', secret: text })),
        )
      ).code,
    ).toBe('link_expired')
  }
})

test('a link is worth nothing for another purpose than its own, also to who uses it up', async () => {
  const { secret } = await issued(at(0), { target: 'purpose@shop.example' })
  const consume = (purpose: 'register' | 'reset') =>
    transaction(at(1), (tx) => consumeSecret(tx, at(1), { purpose, secret }))
  expect((await refused(consume('reset'))).code).toBe('link_expired')
  expect(await countTry(at(1), { purpose: 'reset', secret })).toBeNull()
  expect((await consume('register')).target).toBe('purpose@shop.example')
})

test('in another browser than asked for it a code is worth what it is there: ten minutes and five tries', async () => {
  const target = 'elsewhere@shop.example'
  const { code } = await issued(at(0), { target, asker: 'her phone' })
  const owner = { purpose: 'register', target, accountId: null } as const
  const phone = { device: 'her phone', network: '203.0.113.0/24' }
  const laptop = { device: 'her laptop', network: '198.51.100.0/24' }
  const typed = (ctx: Ctx, text: string, typing: typeof phone) =>
    checkCode(ctx, { ...owner, code: text }, typing)
  expect((await typed(at(9), code, laptop)).verificationId).not.toBe('')
  expect((await refused(typed(at(10), code, laptop))).fields).toEqual({ code: 'code_wrong' })
  for (let n = 0; n < 5; n += 1) await refused(typed(at(9), wrong(code), phone))
  expect((await refused(typed(at(9), code, laptop))).fields).toEqual({ code: 'code_wrong' })
})
