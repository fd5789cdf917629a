import { challengeIn, verifyUsed } from '#features/base/authenticator/engine/passkey.ts'
import type { Site } from '#features/base/authenticator/rules.ts'
import type { UsedCredential } from '#features/base/authenticator/schema.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import { noteOperatorPasskeyUse, takeTicket } from '../commands.ts'
import { findOperatorPasskey } from '../queries.ts'
import type { Operator } from '../rules.ts'

/** What a challenge was made for: an answer to one question is none to another. */
export type ChallengeUse = 'sign_in' | 'add' | 'proof'

/** Uses up the challenge that an answer names, whatever comes of the answer. Throws `ticket_expired` or `passkey_failed`. */
export async function takeChallenge(
  ctx: Ctx,
  challenge: string,
  use: ChallengeUse,
  operatorId: string | null,
): Promise<void> {
  const ticket = await transaction(ctx, (tx) => takeTicket(tx, ctx, 'passkey', challenge))
  if (
    ticket.data['for'] !== use ||
    (ticket.operatorId !== null && ticket.operatorId !== operatorId)
  )
    throw new AppError('passkey_failed')
}

export interface SignedPasskey {
  readonly operator: Operator
  /** Notes the use. Throws `passkey_failed` for a copy. */
  readonly note: (tx: Tx) => Promise<void>
}

/**
 * Verifies what a passkey of an operator has signed. Before the transaction of what it is for: the challenge is used up whatever comes of
 * it. @param operatorId whose it must be; null for whoever's it is. Throws `ticket_expired` or `passkey_failed`.
 */
export async function judgePasskey(
  ctx: Ctx,
  { credential, site }: { readonly credential: UsedCredential; readonly site: Site },
  use: ChallengeUse,
  operatorId: string | null,
): Promise<SignedPasskey> {
  const challenge = challengeIn(credential)
  await takeChallenge(ctx, challenge, use, operatorId)
  const passkey = await findOperatorPasskey(ctx.db, Buffer.from(credential.id, 'base64url'))
  const isOwn = operatorId === null || passkey?.operator.id === operatorId
  if (!passkey || !isOwn || credential.response.userHandle !== passkey.handle)
    throw new AppError('passkey_failed')
  const used = await verifyUsed(ctx.log, site, credential, challenge, passkey)
  return {
    operator: passkey.operator,
    note: (tx) => noteOperatorPasskeyUse(tx, ctx, passkey.id, used),
  }
}
