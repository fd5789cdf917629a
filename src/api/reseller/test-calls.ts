import { hashOf } from '#features/buying/reseller/commands.ts'
import type { ReferencedOrder } from '#features/buying/reseller/queries.ts'
import type { WantedGoods } from '#features/buying/reseller/rules.ts'
import { placeTestOrder } from '#features/buying/reseller-sandbox/commands.ts'
import { testKeysOf, testStatusOf } from '#features/buying/reseller-sandbox/flows.ts'
import { standingOf } from '#features/buying/reseller-sandbox/engine/standing.ts'
import { findTestOrder, listTestOrders } from '#features/buying/reseller-sandbox/queries.ts'
import {
  NO_ACCOUNT,
  TEST_BALANCE,
  TEST_PLAYER,
  type TestKey,
} from '#features/buying/reseller-sandbox/rules.ts'
import { checkedBy } from '#features/supply/account-check/rules.ts'
import type { CheckAccount } from '#features/supply/account-check/flows.ts'
import { US_DOLLAR } from '#features/goods/currency/rules.ts'
import { AppError, type ErrorCode } from '#kernel/error.ts'
import { toMajor } from '#kernel/money.ts'
import type { Services } from '../personal/services.ts'
import { resellerCall, type BrowsingCaller } from './call.ts'
import {
  balance,
  BROWSING_CALLS,
  keys,
  order,
  orders,
  ordersPage,
  status,
  unitView,
  viewOf,
  wantedOf,
  whichOf,
} from './calls.ts'
import { priceFor } from './ordering.ts'

interface TestCaller extends BrowsingCaller {
  readonly key: TestKey
}

/** Answers for every supplier, by the end of the account. */
const checkAccount: CheckAccount = async ({ now }, { product, fields }) => {
  const isUnknown = Object.values(fields).some((value) => value.endsWith(NO_ACCOUNT))
  return checkedBy(
    isUnknown
      ? { kind: 'invalid', fault: 'account' }
      : {
          kind: 'valid',
          displayName: product.brand.recharge ? null : TEST_PLAYER,
          expiresAt: null,
        },
    now(),
  )
}

/** What test keys are answered with: nothing that reaches a supplier, a payment or a code. */
export const TEST_SERVICES: Pick<Services, 'checkAccount'> = { checkAccount }

const testOrder = resellerCall({
  ...order,
  async answer(caller: TestCaller, body) {
    const wanted = wantedOf(caller, body.reference, body.lines, body.max_total)
    return viewOf(caller, await orderByReference(caller, wanted))
  },
})

/** As an order is made: what the goods are and cost is looked at once, and the reference tells the rest. */
async function orderByReference(caller: TestCaller, wanted: WantedGoods): Promise<ReferencedOrder> {
  const { ctx, key } = caller
  const made =
    (await findTestOrder(ctx.db, key.accountId, wanted)) ??
    (await place(caller, await priceFor(ctx, caller, wanted), wanted))
  if (!made.requestHash.equals(hashOf(wanted))) throw new AppError('conflict')
  if (made.refusal !== null) throw new AppError(made.refusal as ErrorCode)
  return standingOf(made, ctx.now())
}

const place = (
  { ctx, key }: TestCaller,
  { lines, usdMinor }: Awaited<ReturnType<typeof priceFor>>,
  wanted: WantedGoods,
) => placeTestOrder(ctx, key, { ...wanted, priced: lines, usdMinor })

const testStatus = resellerCall({
  ...status,
  answer: async (caller: TestCaller, body) => viewOf(caller, await found(caller, body)),
})

const testOrders = resellerCall({
  ...orders,
  answer: (caller: TestCaller, body) =>
    ordersPage(caller, body, async (page) => {
      const found = await listTestOrders(caller.ctx.db, caller.key.accountId, page)
      return found.map((each) => standingOf(each, caller.ctx.now()))
    }),
})

const testKeys = resellerCall({
  ...keys,
  async answer(caller: TestCaller, body) {
    const standing = await found(caller, body)
    if (!standing.order) throw new AppError('not_delivered')
    return {
      reference: standing.reference,
      order: standing.order.publicId,
      units: testKeysOf(standing).map(unitView),
    }
  },
})

const testBalance = resellerCall({
  ...balance,
  answer: async (_: TestCaller) => [{ amount: toMajor(TEST_BALANCE, 2), currency: US_DOLLAR.code }],
})

/** Throws 'not_found', as it does for what was really ordered. */
async function found(
  { ctx, key }: TestCaller,
  which: Parameters<typeof whichOf>[0],
): Promise<ReferencedOrder> {
  const standing = await testStatusOf(ctx, key.accountId, whichOf(which))
  if (!standing) throw new AppError('not_found')
  return standing
}

/** Every call of resellers, as a test key is answered. */
export const TEST_CALLS = [
  ...BROWSING_CALLS,
  testOrder,
  testStatus,
  testOrders,
  testKeys,
  testBalance,
] as const
