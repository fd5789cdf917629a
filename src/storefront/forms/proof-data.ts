import { arePasskeysPossible } from '#features/base/authenticator/rules.ts'
import { listPasskeys } from '#features/people/factor/queries.ts'
import { isFresh } from '#features/people/session/rules.ts'
import type { PersonalPageContext } from '../page.ts'

/** How somebody proves to be the owner of the account. */
export interface ProofData {
  /** They did so within the last minutes: nothing is asked. */
  readonly isFresh: boolean
  readonly hasPassword: boolean
  /** Where the code goes that stands for a password. */
  readonly email: string
  readonly hasPasskeys: boolean
}

export async function proofData({
  person,
  ctx,
  publicUrl,
}: PersonalPageContext): Promise<ProofData> {
  if (!person) throw new Error('the route lets visitors in')
  const hasPasskeys =
    arePasskeysPossible(publicUrl) && (await listPasskeys(ctx.db, person.accountId)).length > 0
  return {
    isFresh: isFresh(person, ctx.now()),
    hasPassword: person.hasPassword,
    email: person.email,
    hasPasskeys,
  }
}
