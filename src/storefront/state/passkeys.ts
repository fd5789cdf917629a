import type { ApiPosts } from '#api/contract.ts'
import { client } from './client.ts'

/** What became of asking for a passkey. `cancelled` also when the person let it time out: a browser tells no more. */
export type PasskeyOutcome<Json> =
  | { readonly kind: 'given'; readonly credential: Json }
  /** Nothing to say: the person knows. */
  | { readonly kind: 'cancelled' }
  /** This device holds a passkey of the account already. */
  | { readonly kind: 'exists' }
  | { readonly kind: 'failed' }

export type NewPasskey = NonNullable<ApiPosts['user/passkeys']['body']['add']>
export type UsedPasskey = AuthenticationResponseJSON

/** Whether this browser speaks passkeys in JSON (every major one since spring 2025) and this address can have them: a number cannot. */
export function canUsePasskeys(): boolean {
  const isSpoken =
    typeof PublicKeyCredential === 'function' &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'toJSON' in PublicKeyCredential.prototype
  return isSpoken && !/^[\d.]+$|^\[/.test(location.hostname)
}

/** Has the device make a passkey for who is signed in; it is theirs once `user/passkeys {add}` has taken it. A refused call throws CallFailed. */
export async function makePasskey(): Promise<PasskeyOutcome<NewPasskey>> {
  const options = await optionsFor('add')
  if (!options) return { kind: 'failed' }
  return outcomeOf(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as unknown as PublicKeyCredentialCreationOptionsJSON,
    )
    return jsonOf<NewPasskey>(await navigator.credentials.create({ publicKey }))
  })
}

/** Has the person choose a passkey, for `user/login {passkey}` or `user/prove {passkey}`. A refused call throws CallFailed. */
export async function askForPasskey(
  purpose: 'sign_in' | 'proof',
): Promise<PasskeyOutcome<UsedPasskey>> {
  const options = await optionsFor(purpose)
  if (!options) return { kind: 'failed' }
  return outcomeOf(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      options as unknown as PublicKeyCredentialRequestOptionsJSON,
    )
    return jsonOf<UsedPasskey>(await navigator.credentials.get({ publicKey }))
  })
}

async function optionsFor(purpose: 'sign_in' | 'add' | 'proof') {
  const answer = await client
    .get()
    ?.post('user/passkey_options', { for: purpose }, { showCheckMsg: false })
  return answer?.options ?? null
}

/** A public key asked for is the only kind that is answered. */
function jsonOf<Json>(credential: Credential | null): Json | undefined {
  return (credential as PublicKeyCredential | null)?.toJSON() as Json | undefined
}

/** WebAuthn §5.1.3 and §5.1.4 name the errors. */
async function outcomeOf<Json>(
  ask: () => Promise<Json | undefined>,
): Promise<PasskeyOutcome<Json>> {
  try {
    const credential = await ask()
    return credential === undefined ? { kind: 'failed' } : { kind: 'given', credential }
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') return { kind: 'cancelled' }
    return { kind: name === 'InvalidStateError' ? 'exists' : 'failed' }
  }
}
