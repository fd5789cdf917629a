import type { Tx } from '#platform/ctx.ts'

export {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './write/authenticator.ts'
export { finishSecondFactor } from './write/second-step.ts'
export { acceptProgramKey, checkProgramKey } from './write/program-key.ts'
export {
  assertRoom,
  savePasskey,
  recordPasskeyUse,
  removePasskey,
  renamePasskey,
} from './write/passkey.ts'

export async function eraseFactors(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('passkey').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('second_factor').where('account_id', '=', accountId).execute()
}
