import { takeShare, type TakeShareInput } from '#features/base/limit/commands.ts'
import { findAccount } from '#features/people/account/queries.ts'
import {
  accountNameOf,
  assertEmail,
  FIELD,
  isUserName,
  type AccountName,
} from '#features/people/account/rules.ts'
import { knownDevice } from '#features/people/device/commands.ts'
import { readDevice } from '#features/people/device/rules.ts'
import { postMail, type NewMail } from '#features/people/mail/commands.ts'
import type { Person } from '#features/people/session/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { enqueue, transaction, type Ctx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'

/** Codes sent to one address: so many at once, and as many again in an hour. Each who asks has an own allowance … */
const CODES = { name: 'mailed_code', per: 3600, burst: 6 } as const
/** … and all strangers together one that spares the mailbox. */
const STRANGERS_CODES = { name: 'mailed_code_all', per: 86_400, burst: 40 } as const

export type CodeType = 'register' | 'reset' | 'email' | 'proof'

/**
 * Has a code mailed. What happens here is the same whether an account exists or not: a share is taken and one job put down;
 * only sending looks up what the address is to be told. `email` and `proof` need somebody signed in.
 * @param account e-mail address (`reset`: or user name; `proof`: not read)
 */
export async function requestCode(
  ctx: Ctx,
  wanted: {
    readonly type: CodeType
    readonly account: string
    readonly person: Person | null
    readonly visitor: Visitor
  },
): Promise<void> {
  const { type, person } = wanted
  if (type === 'email' || type === 'proof') {
    if (!person) throw new AppError('unauthorised')
    if (type === 'email') return mailCodeToNewAddress(ctx, person, wanted.account)
    if (person.hasPassword) throw fieldError('type', 'not_allowed')
    return mailCode(ctx, {
      kind: 'proof_code',
      accountId: person.accountId,
      recipient: person.email,
    })
  }
  const typed = accountNameOf(wanted.account)
  if (type === 'reset' && typed.kind === 'user_name')
    return mailResetCodeTo(ctx, typed.text, wanted.visitor)
  const recipient = assertEmail(wanted.account, FIELD.account)
  await assureStrangersShare(ctx, { kind: 'email', text: recipient }, wanted.visitor)
  await post(ctx, {
    kind: type === 'reset' ? 'reset_code' : 'register_code',
    accountId: null,
    recipient,
    params: { asker: readDevice(wanted.visitor.device)?.id },
  })
}

function mailCodeToNewAddress(ctx: Ctx, person: Person, typed: string): Promise<void> {
  const email = assertEmail(typed, FIELD.account)
  if (email === person.email) throw fieldError(FIELD.account, 'same_as_before')
  return mailCode(ctx, { kind: 'email_code', accountId: person.accountId, recipient: email })
}

async function mailResetCodeTo(ctx: Ctx, userName: string, visitor: Visitor): Promise<void> {
  if (userName === '') throw fieldError(FIELD.account, 'required')
  if (!isUserName(userName)) throw fieldError(FIELD.account, 'user_name_rule')
  await assureStrangersShare(ctx, { kind: 'user_name', text: userName.toLowerCase() }, visitor)
  const asker = readDevice(visitor.device)?.id
  const key = ctx.keys.mac('mail_reset_code', `${userName} ${asker}`).toString('base64url')
  const payload = { userName, language: ctx.locale, ...(asker ? { asker } : {}) }
  await transaction(ctx, (tx) => enqueue(tx, 'mail_reset_code', payload, `mail_reset_code:${key}`))
}

async function mailCode(
  ctx: Ctx,
  mail: {
    readonly kind: 'email_code' | 'proof_code'
    readonly accountId: string
    readonly recipient: string
  },
): Promise<void> {
  await assureShare(ctx, { ...CODES, key: `${mail.recipient} account ${mail.accountId}` })
  await post(ctx, mail)
}

async function post(ctx: Ctx, mail: Omit<NewMail, 'language'>): Promise<void> {
  await transaction(ctx, (tx) => postMail(tx, ctx, { ...mail, language: ctx.locale }))
}

/**
 * Anybody may ask for a code to be sent anywhere: by network, and all together up to what a mailbox bears. A browser that the
 * account was signed in with has an allowance of its own, which nobody else can use up.
 */
async function assureStrangersShare(ctx: Ctx, typed: AccountName, visitor: Visitor): Promise<void> {
  const account = readDevice(visitor.device)?.marks.length ? await findAccount(ctx.db, typed) : null
  const device = account && knownDevice(ctx, visitor.device, account.id)
  if (account && device !== null)
    return assureShare(ctx, { ...CODES, key: `account ${account.id} device ${device}` })
  await assureShare(ctx, { ...CODES, key: `${typed.text} network ${visitor.network}` })
  await assureShare(ctx, { ...STRANGERS_CODES, key: typed.text })
}

async function assureShare(ctx: Ctx, wanted: TakeShareInput): Promise<void> {
  const share = await takeShare(ctx, wanted)
  if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
}
