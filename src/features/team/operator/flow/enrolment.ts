import {
  challengeIn,
  creationOptions,
  requestOptions,
  verifyMade,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '#features/base/authenticator/engine/passkey.ts'
import { drawQr } from '#features/base/authenticator/engine/qr.ts'
import { invitationOf, SEED_BYTES } from '#features/base/authenticator/engine/time-code.ts'
import type { Site } from '#features/base/authenticator/rules.ts'
import type { NewCredential } from '#features/base/authenticator/schema.ts'
import { transaction, type Ctx, type Tx } from '#platform/ctx.ts'
import type { Visitor } from '#platform/http/visitor.ts'
import { AppError } from '#kernel/error.ts'
import {
  assertTicketHolds,
  confirmSeed,
  handleOfOperator,
  issueTicket,
  keepPasskey,
  keepSeed,
  lookAtTicket,
  startOperatorSession,
  tryTicket,
  useUpTicket,
  type FactorHolder,
} from '../commands.ts'
import { findOperator, listCredentials } from '../queries.ts'
import { readFactors, waysOf } from '../read/factor.ts'
import type { Operator, OperatorSession, ShownFactor } from '../rules.ts'
import { takeChallenge, type ChallengeUse } from './passkey.ts'

/** Who makes a factor: somebody whose password was right and who has none yet, or somebody signed in. */
export type Enrolling =
  | { readonly ticket: string; readonly visitor: Visitor; readonly replaces: string | null }
  | { readonly operator: Operator; readonly session: Pick<OperatorSession, 'id'> }

/** How an authenticator app is told its seed. Shown once. */
export interface Invitation {
  /** otpauth://totp/… */
  readonly uri: string
  /** The seed to type: base32 in groups of four. */
  readonly seed: string
  /** The address as a QR code: SVG of its dark modules. */
  readonly qr: string
}

export interface Enrolled {
  /** Shown this once; empty where the operator had a factor before, and has codes. */
  readonly recoveryCodes: readonly string[]
  /** Of the session that began with it; null for somebody who was signed in. */
  readonly token: string | null
}

/** Makes a seed, which counts for nothing until a code of it has come back. Throws `ticket_expired`, and `changed_meanwhile` where an app is on already. */
export async function beginAuthenticator(
  ctx: Ctx,
  by: Enrolling,
  shopName: string,
): Promise<Invitation> {
  const operator = await enrollingOperator(ctx, by)
  const seed = ctx.random(SEED_BYTES)
  await keepSeed(ctx, operator.id, seed)
  const invitation = invitationOf(seed, shopName, operator.name)
  return { ...invitation, qr: drawQr(invitation.uri) }
}

/** Turns the app on with its first code. Throws `ticket_expired`, `changed_meanwhile`, or `check_fields` with `code_wrong`. */
export function addAuthenticator(ctx: Ctx, by: Enrolling, code: string): Promise<Enrolled> {
  return enrol(ctx, by, 'totp', (tx, holder) => confirmSeed(tx, ctx, holder, code))
}

/** What the browser is asked to make. */
export async function askToMakePasskey(
  ctx: Ctx,
  by: Enrolling,
  site: Site,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id, name } = await enrollingOperator(ctx, by)
  const owner = {
    handle: await handleOfOperator(ctx, id),
    name,
    displayName: name,
    credentials: await listCredentials(ctx.db, id),
  }
  return creationOptions(site, owner, await newChallenge(ctx, 'add', id))
}

/** What the browser is asked to sign. For signing in no operator is named: it says nothing of who has passkeys here. */
export async function askForOperatorPasskey(
  ctx: Ctx,
  site: Site,
  wanted: 'sign_in' | { readonly proofOf: string },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge =
    wanted === 'sign_in'
      ? await newChallenge(ctx, 'sign_in', null)
      : await newChallenge(ctx, 'proof', wanted.proofOf)
  return requestOptions(site, challenge)
}

/** Verifies what the browser made and keeps it. Throws `ticket_expired`, `passkey_failed` or `passkey_limit`. */
export async function addOperatorPasskey(
  ctx: Ctx,
  by: Enrolling,
  made: { readonly site: Site; readonly credential: NewCredential; readonly name: string },
): Promise<Enrolled> {
  const { id } = await enrollingOperator(ctx, by)
  const challenge = challengeIn(made.credential)
  await takeChallenge(ctx, challenge, 'add', id)
  const verified = await verifyMade(ctx.log, made.site, made.credential, challenge)
  return enrol(ctx, by, 'passkey', async (tx, holder) => {
    const kept = await keepPasskey(tx, ctx, holder, { name: made.name, ...verified })
    return kept.recoveryCodes
  })
}

async function enrollingOperator(ctx: Ctx, by: Enrolling): Promise<Operator> {
  if ('operator' in by) return by.operator
  const { operatorId } = await lookAtTicket(ctx, 'enrol', by.ticket)
  const operator = await findOperator(ctx.db, operatorId)
  if (!operator) throw new AppError('ticket_expired')
  return operator
}

async function enrol(
  ctx: Ctx,
  by: Enrolling,
  factor: ShownFactor,
  keep: (tx: Tx, holder: FactorHolder) => Promise<readonly string[]>,
): Promise<Enrolled> {
  if ('operator' in by) {
    const holder = { operator: by.operator, sessionId: by.session.id }
    return { recoveryCodes: await transaction(ctx, (tx) => keep(tx, holder)), token: null }
  }
  const ticket = await tryTicket(ctx, 'enrol', by.ticket)
  return transaction(ctx, async (tx) => {
    const operator = await assertTicketHolds(tx, ticket)
    // There is one by now: whoever knows the password alone makes no other.
    if (waysOf(await readFactors(tx, operator.id)).length > 0) throw new AppError('ticket_expired')
    await useUpTicket(tx, ctx, ticket.id)
    const recoveryCodes = await keep(tx, { operator })
    const { visitor, replaces } = by
    const token = await startOperatorSession(tx, ctx, { operator, visitor, factor, replaces })
    return { recoveryCodes, token }
  })
}

function newChallenge(ctx: Ctx, use: ChallengeUse, operatorId: string | null): Promise<string> {
  return transaction(ctx, (tx) =>
    issueTicket(tx, ctx, { purpose: 'passkey', operatorId, data: { for: use } }),
  )
}
