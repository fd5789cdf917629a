import { recordAudit } from '#features/base/audit/commands.ts'
import { post } from '#features/base/ledger/commands.ts'
import { atProvider, PROMOTIONS, storeCreditOf } from '#features/base/ledger/rules.ts'
import { readUsdMinor } from '#features/goods/currency/queries.ts'
import { findAccount, findAccountById } from '#features/people/account/queries.ts'
import {
  askLeave,
  inTurn,
  weighAct,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { STORE_CREDIT } from '#features/goods/pay-method/rules.ts'
import { assert } from '#kernel/assert.ts'
import { AppError, isAppError } from '#kernel/error.ts'
import type { Money } from '#kernel/money.ts'
import { isUuid } from '#kernel/uuid.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { sweep } from '#platform/sweep.ts'
import {
  ANY_AMOUNT,
  ProviderRefusal,
  type PaymentProvider,
  type PaymentRequest,
  type ProviderPayment,
  type ProviderRefund,
  type RefundRequest,
} from '#providers/payment/provider.ts'
import {
  findAttempt,
  findFunding,
  findReturn,
  findSpent,
  getSpendable,
  isErased,
  listCurrenciesOf,
  listSpent,
  listUnfollowed,
  type UnfollowedReversal,
  lockCredit,
} from './queries.ts'
import { closingPostings, creditPostings } from './rules.ts'

/**
 * A shopper's credit as a provider of payments: the shop holds it itself, so that making a payment takes it, in a transaction of
 * its own and once for each attempt. What it takes stands at `provider:store-credit` until the payment is booked from there.
 */
export function storeCreditPayments(ctx: Ctx): PaymentProvider {
  return {
    code: STORE_CREDIT,
    isOwn: true,
    takesAtOnce: true,
    limits: () => ANY_AMOUNT,
    create: (request) => spend(ctx, request),
    fetch: async (reference) =>
      paymentOf(reference, await findSpent(ctx.db, idIn(reference)), null),
    // What is spent stays spent: it is given back as a refund.
    cancel: async (reference) =>
      paymentOf(reference, await findSpent(ctx.db, idIn(reference)), null),
    refund: (request) => giveBack(ctx, request),
    findRefund: ({ ourReference }) =>
      findReturn(ctx.db, ourReference).then((found) => (found ? returned(ourReference) : null)),
    readNotice: async () => {
      throw new ProviderRefusal('it sends no notices')
    },
    async *list({ since, until }) {
      for (const { attemptId, money } of await listSpent(ctx.db, since, until))
        yield paymentOf(attemptId, money, null)
    },
  }
}

function idIn(reference: string): string {
  if (!isUuid(reference)) throw new ProviderRefusal('not_found')
  return reference
}

const returned = (refundId: string): ProviderRefund => ({
  reference: refundId,
  status: 'succeeded',
  failure: null,
})

/** Nothing spent, nothing to come: making the payment is when it is taken. */
function paymentOf(
  attemptId: string,
  spent: Money | null,
  redirectUrl: string | null,
): ProviderPayment {
  return {
    reference: attemptId,
    ourReference: attemptId,
    status: spent ? 'captured' : 'failed',
    captured: spent,
    isDisputed: false,
    reversed: null,
    redirectUrl,
    failure: spent ? null : 'not_spent',
  }
}

async function spend(
  ctx: Ctx,
  { ourReference, amount, returnUrl }: PaymentRequest,
): Promise<ProviderPayment> {
  try {
    return await transaction(ctx, async (tx) => {
      const attempt = await findAttempt(tx, idIn(ourReference))
      if (!attempt) throw new ProviderRefusal('not_found')
      const spent = await findSpent(tx, ourReference)
      if (spent) return paymentOf(ourReference, spent, returnUrl)
      if (attempt.status !== 'created') throw new ProviderRefusal('closed')
      assert(
        attempt.amount.minor === amount.minor && attempt.amount.currency === amount.currency,
        "the amount is the attempt's",
      )
      await lockCredit(tx, attempt.accountId, amount.currency)
      if ((await getSpendable(tx, attempt.accountId, amount.currency)) < amount.minor)
        throw new ProviderRefusal('insufficient_credit')
      await post(tx, ctx, [
        {
          source: 'spend',
          sourceId: ourReference,
          debit: storeCreditOf(attempt.accountId),
          credit: atProvider(STORE_CREDIT),
          currency: amount.currency,
          amountMinor: amount.minor,
        },
      ])
      return paymentOf(ourReference, amount, returnUrl)
    })
  } catch (error) {
    if (isAppError(error) && error.code === 'insufficient_credit')
      throw new ProviderRefusal(error.code)
    throw error
  }
}

/** The refund's row has been checked against what was captured; it is locked while its money moves, so that it moves once. */
async function giveBack(
  ctx: Ctx,
  { ourReference, paymentReference, amount }: RefundRequest,
): Promise<ProviderRefund> {
  return transaction(ctx, async (tx) => {
    const attempt = await findAttempt(tx, idIn(paymentReference))
    const asked = await tx
      .selectFrom('refund')
      .select('id')
      .where('id', '=', idIn(ourReference))
      .where('attempt_id', '=', paymentReference)
      .where('amount_minor', '=', amount.minor.toString())
      .where('currency', '=', amount.currency)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!attempt || !asked) throw new ProviderRefusal('not_found')
    if (!(await findReturn(tx, ourReference))) {
      await post(tx, ctx, [
        {
          source: 'unspend',
          sourceId: ourReference,
          debit: atProvider(STORE_CREDIT),
          credit: storeCreditOf(attempt.accountId),
          currency: amount.currency,
          amountMinor: amount.minor,
        },
      ])
      await settleCredit(tx, ctx, {
        accountId: attempt.accountId,
        currency: amount.currency,
        attemptId: null,
      })
    }
    return returned(ourReference)
  })
}

export interface Grant {
  readonly accountId: string
  readonly money: Money
  /** Who is given it, for the audit trail. */
  readonly email: string
}

/** Gives a shopper credit that nobody has paid for. */
export async function grantCredit(
  tx: Tx,
  ctx: Ctx,
  { accountId, money, email }: Grant,
): Promise<void> {
  const id = ctx.newId()
  await post(tx, ctx, [
    {
      source: 'credit',
      sourceId: id,
      debit: PROMOTIONS,
      credit: storeCreditOf(accountId),
      currency: money.currency,
      amountMinor: money.minor,
      shownTo: accountId,
    },
  ])
  await settleCredit(tx, ctx, { accountId, currency: money.currency, attemptId: null })
  await recordAudit(tx, ctx, ctx.now(), [
    {
      action: 'grant',
      subject: 'store_credit',
      subjectCode: email,
      before: null,
      after: { amount_minor: money.minor.toString(), currency: money.currency, transfer: id },
    },
  ])
}

export interface MovedCredit {
  readonly accountId: string
  readonly currency: string
  /** The payment whose reversal, or whose credit, has changed; null where credit came from none. */
  readonly attemptId: string | null
}

/**
 * Called whenever credit was given, and whenever a bank took back or returned money of a payment: takes back what that payment gave,
 * gives it again, and has credit pay what its shopper owes. Order and payment are locked before. Called again it changes nothing.
 */
export async function settleCredit(
  tx: Tx,
  ctx: Pick<Ctx, 'now' | 'newId'>,
  { accountId, currency, attemptId }: MovedCredit,
): Promise<void> {
  const account = await lockCredit(tx, accountId, currency)
  if (!account) return
  const funding = attemptId === null ? null : await findFunding(tx, attemptId, currency)
  await post(
    tx,
    ctx,
    creditPostings(account, funding, () => ctx.newId()),
  )
  // Whoever has left gets no credit any more, nor owes any.
  if (await isErased(tx, accountId)) await closeCredit(tx, ctx, accountId)
}

/**
 * Part of erasing a person, who has agreed to that: credit is given up, and what they owed is written off, so that no balance of nobody
 * stays in the books. Disputes of its payments are over.
 */
export async function closeCredit(
  tx: Tx,
  ctx: Pick<Ctx, 'now' | 'newId'>,
  accountId: string,
): Promise<void> {
  for (const currency of await listCurrenciesOf(tx, accountId)) {
    const account = await lockCredit(tx, accountId, currency)
    if (!account) continue
    await post(
      tx,
      ctx,
      closingPostings(account, () => ctx.newId()),
    )
  }
}

/** Takes back what banks took before the shop knew which credit a payment gave. */
export async function followReversals(ctx: Ctx): Promise<void> {
  await sweep<UnfollowedReversal>(ctx, {
    what: 'a reversal whose credit was not taken back',
    name: ({ attemptId }) => attemptId,
    next: async (last) => (last === null ? listUnfollowed(ctx.db) : []),
    work: (moved) =>
      transaction(ctx, async (tx) => {
        await tx
          .selectFrom('payment_attempt')
          .select('id')
          .where('id', '=', moved.attemptId)
          .forNoKeyUpdate()
          .execute()
        await settleCredit(tx, ctx, moved)
      }),
  })
}

/**
 * An operator gives a shopper credit. Throws 'not_found' where nobody who may buy has this address.
 * @returns the act that waits for another person; null where the credit is given
 */
export async function grantCreditByOperator(
  ctx: OperatorCtx,
  { email, money }: Omit<Grant, 'accountId'>,
): Promise<Waits> {
  requirePermission(ctx, 'shopper.credit')
  const address = email.toLowerCase()
  const account = await findAccount(ctx.db, { kind: 'email', text: address })
  if (account?.status !== 'active') throw new AppError('not_found')
  return inTurn(ctx, (tx) =>
    grantInTurn(tx, ctx, { accountId: account.id, email: address, money }, ''),
  )
}

/** The same in the operator's turn, to a shopper who is locked. `reason` is kept with the act, and goes with the account. */
export async function grantInTurn(
  tx: Turn,
  ctx: OperatorCtx,
  grant: Grant,
  reason: string,
): Promise<Waits> {
  requirePermission(ctx, 'shopper.credit')
  const { accountId, email, money } = grant
  const waits = await askLeave(tx, ctx, {
    kind: 'store_credit',
    subject: email,
    accountId,
    orderId: null,
    money,
    usdMinor: await readUsdMinor(tx, money),
    details: reason === '' ? {} : { reason },
  })
  if (waits === null) await grantCredit(tx, ctx, grant)
  return waits
}

/** What `grantInTurn` would be to the limits of who gives; nothing is changed. */
export async function weighGrant(tx: Tx, ctx: OperatorCtx, { accountId, email, money }: Grant) {
  requirePermission(ctx, 'shopper.credit')
  const usdMinor = await readUsdMinor(tx, money)
  return weighAct(tx, ctx, { kind: 'store_credit', subject: email, accountId, money, usdMinor })
}

/** What approving it does. Throws 'order_closed' where the shopper has left meanwhile. */
export async function grantWaitingCredit(
  tx: Turn,
  ctx: OperatorCtx,
  { accountId, money, subject }: Act,
): Promise<void> {
  const account = accountId === null ? null : await findAccountById(tx, accountId)
  if (account?.status !== 'active') throw new AppError('order_closed')
  await grantCredit(tx, ctx, { accountId: account.id, money, email: subject })
}
