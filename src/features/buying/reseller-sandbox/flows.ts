import { secretOf } from '#features/buying/reseller/engine/signature.ts'
import type { ReferencedOrder } from '#features/buying/reseller/queries.ts'
import type { Signer, SoldKey } from '#features/buying/reseller/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import { standingOf, testCode } from './engine/standing.ts'
import { findTestKey, findTestOrder } from './queries.ts'
import { TEST_KEY, TEST_SECRET_PREFIX, type TestKey } from './rules.ts'

/** A test key in force, and its secret; null for any other. */
export async function findTestSigner(ctx: Ctx, publicId: string): Promise<Signer<TestKey> | null> {
  const key = TEST_KEY.test(publicId) ? await findTestKey(ctx.db, publicId) : null
  return key && { key, secrets: [secretOf(ctx.keys, publicId, key.salt, TEST_SECRET_PREFIX)] }
}

/** How a test order stands; null where there is none. */
export async function testStatusOf(
  ctx: Ctx,
  accountId: string,
  by: Parameters<typeof findTestOrder>[2],
): Promise<ReferencedOrder | null> {
  const order = await findTestOrder(ctx.db, accountId, by)
  return order && standingOf(order, ctx.now())
}

/** Codes of the cards of an order that are delivered, which open nothing anywhere. */
export const testKeysOf = ({ order }: ReferencedOrder): SoldKey[] =>
  (order?.lines ?? []).flatMap(({ item, units }) =>
    units
      .filter(({ status, delivery }) => status === 'delivered' && delivery === 'card_key')
      .map(({ id }) => ({ unit: id, item, parts: { code: testCode(id) }, expiresOn: null })),
  )
