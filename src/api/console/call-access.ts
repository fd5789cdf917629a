import type { LimitedPermission, Permission, ProofKind } from '#features/team/operator/rules.ts'

/** What a call of the console takes of who makes it. */
export interface CallAccess {
  readonly method: 'GET' | 'POST'
  /** 'anyone' is nobody yet; 'signed-in' needs no permission, as it is about oneself. */
  readonly needs: 'anyone' | 'signed-in' | Permission
  /** An operator's token may make it as well. Never what a fresh proof is asked for, and never an approval. */
  readonly byToken?: true
  /** A fresh proof of this kind, ten minutes old at most. */
  readonly proof?: ProofKind
  /** What it moves counts against the limits of this permission. */
  readonly limitedBy?: LimitedPermission | 'price.change'
  /** It waits for a second person: always, or above a limit. */
  readonly secondPerson?: 'always' | 'above-limit'
  /** It shows what is secret or personal: the runner writes down that it was looked at, and at which, by this field of the input. */
  readonly look?: { readonly subject: string; readonly by: string }
  /** It shows people, or what was done to them, a page at a time: how much was read is counted, and told in the trail by the hour. */
  readonly isCounted?: true
  /** A page makes it without anybody's press: it keeps no session alive. */
  readonly byItself?: true
  /** Why a write leaves no line in the audit trail. Every other one does: its command's own, or else the runner's. */
  readonly unaudited?: string
}
