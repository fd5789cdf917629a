import { listCredit } from '#features/buying/transaction/queries.ts'
import type { PersonalPageContext } from '../page.ts'
import { amountsText } from '../user/account.ts'
import { ownerOf } from '../user/area.ts'

/** The step in which an account is closed. */
export interface ClosureData {
  readonly isCancelling: boolean
  /** Store credit that goes with the account; null without any. */
  readonly credit: string | null
}

export async function closureData(page: PersonalPageContext): Promise<ClosureData> {
  const isCancelling = page.query.get('do') === 'cancel'
  if (!isCancelling) return { isCancelling, credit: null }
  return {
    isCancelling,
    credit: amountsText(page, await listCredit(page.ctx.db, ownerOf(page).accountId)),
  }
}
