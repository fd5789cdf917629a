import { beforeAll, describe, expect, test } from 'vitest'
import { present } from '#kernel/assert.ts'
import { isAppError } from '#kernel/error.ts'
import { transaction } from '#platform/ctx.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import {
  actingAs,
  changeOperatorPassword,
  changeRole,
  createFirstOwner,
  createOperator,
  createToken,
  proveByPassword,
  proveByToken,
  stillActing,
  recoverOwner,
  setOperatorStatus,
  type OperatorCtx,
} from './commands.ts'
import { listOperators } from './queries.ts'
import {
  limitOf,
  mayDo,
  PERMISSIONS,
  priceLimitOf,
  requirePermission,
  ROLES,
  USUAL_PRICE_LIMIT,
} from './rules.ts'

const PASSWORD = 'correct horse battery'
const database = useDatabase()
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isAppError(error) ? error.code : String(error)),
  )

describe('the people who run a shop', () => {
  let owner: OperatorCtx
  beforeAll(async () => {
    const { ctx } = database
    const made = await Promise.all([
      codeOf(createFirstOwner(ctx, { name: 'mara', password: PASSWORD })),
      codeOf(createFirstOwner(ctx, { name: 'mallory', password: PASSWORD })),
    ])
    expect(made.toSorted()).toEqual(['conflict', 'done'])
    const [first] = await listOperators(ctx.db, ctx.now())
    if (!first) throw new Error('one was made')
    owner = actingAs(ctx, first)
  })

  test('prove who they are by their password, and nobody else does', async () => {
    const { ctx } = database
    const { name } = owner.operator
    expect(await proveByPassword(ctx, name, PASSWORD)).toEqual({
      id: owner.operator.id,
      name,
      role: 'owner',
      unit: 100n,
    })
    expect(await proveByPassword(ctx, name, 'wrong')).toBeNull()
    expect(await proveByPassword(ctx, 'nobody', PASSWORD)).toBeNull()
    const refused = await ctx.db
      .selectFrom('audit_log')
      .select(['subject_code'])
      .where('action', '=', 'proof_refused')
      .orderBy('at')
      .execute()
    expect(refused.map((row) => row.subject_code)).toEqual([name, 'unknown'])
  })

  test('are made by those who may, under a name that is given once', async () => {
    const priya = await createOperator(owner, {
      name: 'priya',
      role: 'finance',
      password: PASSWORD,
    })
    const asPriya = actingAs(database.ctx, priya)
    expect(
      await codeOf(createOperator(asPriya, { name: 'eve', role: 'owner', password: PASSWORD })),
    ).toBe('forbidden')
    expect(await codeOf(changeRole(asPriya, 'priya', 'owner'))).toBe('forbidden')
    await setOperatorStatus(owner, 'priya', 'disabled')
    expect(
      await codeOf(createOperator(owner, { name: 'priya', role: 'support', password: PASSWORD })),
    ).toBe('conflict')
    await setOperatorStatus(owner, 'priya', 'active')
  })

  test.each([
    ['System', PASSWORD],
    ['system', PASSWORD],
    ['shell', PASSWORD],
    ['a b', PASSWORD],
    ['tomas', 'short'],
    ['tomas', 'my name is tomas'],
    ['tomas', 'aaaaaaaaaaaaaaaa'],
  ])('cannot be called %s with the password %s', async (name, password) => {
    await expect(createOperator(owner, { name, role: 'orders', password })).rejects.toMatchObject({
      name: 'Refusal',
    })
  })

  test('keep one owner, however many take each other the role at once', async () => {
    await createOperator(owner, { name: 'second', role: 'owner', password: PASSWORD })
    const second = actingAs(database.ctx, { ...owner.operator, name: 'second' })
    const outcomes = await Promise.all([
      codeOf(changeRole(owner, 'second', 'support')),
      codeOf(changeRole(second, owner.operator.name, 'support')),
    ])
    expect(outcomes.toSorted()).toEqual(['done', 'last_owner'])
    await recoverOwner(database.ctx, owner.operator.name, PASSWORD)
    expect(await codeOf(setOperatorStatus(owner, 'second', 'disabled'))).toBe('done')
    expect(await codeOf(setOperatorStatus(owner, owner.operator.name, 'disabled'))).toBe(
      'last_owner',
    )
  })

  test('act by tokens that end with their day, their password or their account', async () => {
    const { ctx } = database
    const bao = actingAs(
      ctx,
      await createOperator(owner, { name: 'bao', role: 'catalogue', password: PASSWORD }),
    )
    const { token, expiresAt } = await createToken(bao, { label: 'nightly import', days: 30 })
    expect(await proveByToken(ctx, token)).toMatchObject(bao.operator)
    expect(await proveByToken({ ...ctx, now: () => expiresAt }, token)).toBeNull()
    expect(await proveByToken(ctx, `${token}x`)).toBeNull()
    const stored = await ctx.db.selectFrom('operator_token').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(token)
    await setOperatorStatus(owner, 'bao', 'disabled')
    await setOperatorStatus(owner, 'bao', 'active')
    expect(await proveByToken(ctx, token)).toBeNull()
    const { token: next } = await createToken(bao, { label: 'again', days: 1 })
    await changeOperatorPassword(bao, 'bao', 'another battery staple')
    expect(await proveByToken(ctx, next)).toBeNull()
    expect(await proveByPassword(ctx, 'bao', PASSWORD)).toBeNull()
    expect(await codeOf(changeOperatorPassword(bao, owner.operator.name, PASSWORD))).toBe(
      'forbidden',
    )
  })

  test.each([null, ['product.change', 'price.change']] as const)(
    'move prices by a token over the network no further than is usual, also where their powers are read anew',
    async (permissions) => {
      const { ctx } = database
      const { token } = await createToken(owner, { label: 'prices', days: 1, permissions })
      const proved = actingAs(ctx, present(await proveByToken(ctx, token, false), 'operator'))
      const still = await transaction(ctx, (tx) => stillActing(tx, proved))
      expect(still.operator).toEqual(proved.operator)
      expect(priceLimitOf(still.operator)).toBe(USUAL_PRICE_LIMIT)
    },
  )

  test('prove nothing while they are disabled, and are let in again by whoever runs the machine', async () => {
    const { ctx } = database
    const kim = actingAs(
      ctx,
      await createOperator(owner, { name: 'kim', role: 'orders', password: PASSWORD }),
    )
    await setOperatorStatus(owner, 'kim', 'disabled')
    expect(await proveByPassword(ctx, 'kim', PASSWORD)).toBeNull()
    // One that was made in the same moment, by who had proved to be there before.
    const { token } = await createToken(kim, { label: 'late', days: 1 })
    expect(await proveByToken(ctx, token)).toBeNull()
    await recoverOwner(ctx, 'kim', 'another battery staple')
    expect(await proveByPassword(ctx, 'kim', 'another battery staple')).toMatchObject({
      name: 'kim',
      role: 'owner',
    })
  })

  test('leave a line for each change, with who and in which request', async () => {
    const lines = await database.ctx.db
      .selectFrom('audit_log')
      .select(['actor', 'request_id', 'action'])
      .where('subject', '=', 'operator')
      .where('subject_code', '=', 'bao')
      .orderBy('at')
      .execute()
    expect(lines.map(({ action }) => action)).toEqual([
      'create',
      'token_made',
      'update',
      'update',
      'token_made',
      'password_changed',
      'proof_refused',
    ])
    expect(new Set(lines.map(({ actor }) => actor))).toEqual(
      new Set([`operator:${owner.operator.name}`, 'operator:bao', 'test']),
    )
    for (const line of lines) expect(line.request_id).not.toBe('')
  })
})

test('only an owner may do everything, and reading changes nothing', () => {
  for (const permission of PERMISSIONS) expect(mayDo({ role: 'owner' }, permission)).toBe(true)
  for (const permission of PERMISSIONS)
    expect(mayDo({ role: 'read-only' }, permission)).toBe(permission.endsWith('.read'))
  for (const role of ROLES.filter((one) => one !== 'owner')) {
    expect(mayDo({ role }, 'staff.manage')).toBe(false)
    expect(mayDo({ role }, 'shop.manage')).toBe(false)
    if (mayDo({ role }, 'order.refund'))
      expect(limitOf({ role }, 'order.refund')).toBeTypeOf('bigint')
  }
  expect(limitOf({ role: 'owner' }, 'order.refund')).toBeNull()
  expect(() =>
    requirePermission({ operator: { id: '', name: 'aiko', role: 'support' } }, 'key.see'),
  ).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      params: { permission: 'key.see', role: 'support' },
    }),
  )
})
