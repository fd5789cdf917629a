import { takeShare } from '#features/base/limit/commands.ts'
import { lockAccount } from '#features/people/account/commands.ts'
import type { Person } from '#features/people/session/rules.ts'
import {
  checkCode,
  consumeCode,
  issueVerification,
  withdrawVerifications,
} from '#features/people/verification/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { enqueue, transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import {
  ACCOUNT_SHARE,
  CODE_LIFE_SECONDS,
  isMobile,
  NETWORK_SHARE,
  NUMBER_SHARE,
  SMS_KEPT_DAYS,
} from './rules.ts'

export interface PhoneCodeRequest {
  /** E.164. */
  readonly mobile: string
  /** Of who asks. */
  readonly network: string
  /** `isSmsPossible` of this shop. */
  readonly isPossible: boolean
  /** Where the number was typed. */
  readonly field?: string
}

/**
 * Has a code sent to a number, by the job `send_sms`, which also makes it. Throws sms_unavailable in a shop without a sender,
 * check_fields for a number that is none or is the account's already, too_many_requests.
 */
export async function requestPhoneCode(
  ctx: Ctx,
  person: Person,
  { mobile, network, isPossible, field = 'mobile' }: PhoneCodeRequest,
): Promise<void> {
  if (!isPossible) throw new AppError('sms_unavailable')
  if (!isMobile(mobile)) throw fieldError(field, 'phone_format')
  if (person.mobileVerified && person.mobile === mobile) throw fieldError(field, 'same_as_before')
  for (const share of [
    { ...ACCOUNT_SHARE, key: person.accountId },
    { ...NUMBER_SHARE, key: mobile },
    { ...NETWORK_SHARE, key: network },
  ]) {
    const taken = await takeShare(ctx, share)
    if (!taken.ok) throw new AppError('too_many_requests', { seconds: taken.seconds })
  }
  await transaction(ctx, async (tx, now) => {
    const id = ctx.newId()
    await lockAccount(tx, person.accountId)
    await tx
      .insertInto('outgoing_sms')
      .values({
        id,
        account_id: person.accountId,
        mobile,
        language: ctx.locale,
        created_at: now,
        attempted_at: null,
        sent_at: null,
      })
      .execute()
    await enqueue(tx, 'send_sms', { id }, `sms:${id}`)
  })
}

/** Adds the number that the code was sent to. Throws check_fields code_wrong. */
export async function confirmPhone(
  ctx: Ctx,
  person: Person,
  { mobile, code }: { readonly mobile: string; readonly code: string },
): Promise<void> {
  const checked = await checkCode(ctx, {
    purpose: 'phone',
    target: mobile,
    accountId: person.accountId,
    code,
  })
  await transaction(ctx, async (tx, now) => {
    await lockAccount(tx, person.accountId)
    await consumeCode(tx, ctx, checked)
    await tx
      .updateTable('account')
      .set({ mobile, mobile_verified_at: now })
      .where('id', '=', person.accountId)
      .execute()
    await withdrawVerifications(tx, person.accountId, 'phone')
  })
}

/** Fine where there was none. Codes on their way are worth nothing any more. */
export async function removePhone(ctx: Ctx, person: Person): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockAccount(tx, person.accountId)
    await tx
      .updateTable('account')
      .set({ mobile: null, mobile_verified_at: null })
      .where('id', '=', person.accountId)
      .execute()
    await withdrawVerifications(tx, person.accountId, 'phone')
    await tx
      .deleteFrom('outgoing_sms')
      .where('account_id', '=', person.accountId)
      .where('sent_at', 'is', null)
      .execute()
  })
}

export interface ClaimedSms {
  readonly mobile: string
  readonly language: LanguageCode
  readonly code: string
}

/**
 * Takes a message to send it, once: whoever comes second gets null, as does one whose time is over. The code is made here and
 * kept as a hash only.
 */
export async function claimSms(ctx: Ctx, id: string): Promise<ClaimedSms | null> {
  return transaction(ctx, async (tx, now) => {
    const row = await tx
      .updateTable('outgoing_sms')
      .set({ attempted_at: now })
      .where('id', '=', id)
      .where('attempted_at', 'is', null)
      .where('mobile', 'is not', null)
      .where('created_at', '>', new Date(now.getTime() - CODE_LIFE_SECONDS * 1_000))
      .returning(['account_id', 'mobile', 'language'])
      .executeTakeFirst()
    if (!row || row.mobile === null) return null
    const { code } = await issueVerification(tx, ctx, {
      purpose: 'phone',
      accountId: row.account_id,
      target: row.mobile,
      withCode: true,
      withSecret: false,
    })
    return code === undefined ? null : { mobile: row.mobile, language: row.language, code }
  })
}

/** It was sent, or never will be: the number is not needed any more. */
export async function closeSms(
  ctx: Pick<Ctx, 'db' | 'now'>,
  id: string,
  isSent: boolean,
): Promise<void> {
  await ctx.db
    .updateTable('outgoing_sms')
    .set({ mobile: null, ...(isSent ? { sent_at: ctx.now() } : {}) })
    .where('id', '=', id)
    .execute()
}

/** It was surely not sent: the next try may take it. */
export async function releaseSms(ctx: Pick<Ctx, 'db'>, id: string): Promise<void> {
  await ctx.db
    .updateTable('outgoing_sms')
    .set({ attempted_at: null })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** Messages of long ago, and the numbers of those that nobody could send. */
export async function forgetOldSms(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  const before = (milliseconds: number) => new Date(ctx.now().getTime() - milliseconds)
  await ctx.db
    .deleteFrom('outgoing_sms')
    .where('created_at', '<', before(SMS_KEPT_DAYS * 86_400_000))
    .execute()
  await ctx.db
    .updateTable('outgoing_sms')
    .set({ mobile: null })
    .where('mobile', 'is not', null)
    .where('created_at', '<', before(CODE_LIFE_SECONDS * 1_000))
    .execute()
}

/** The number itself stands with the account. */
export async function erasePhone(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('outgoing_sms').where('account_id', '=', accountId).execute()
}
