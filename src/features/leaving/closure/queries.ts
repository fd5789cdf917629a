import { exportAccount } from '#features/people/account/queries.ts'
import { exportCase } from '#features/buying/after-sales/queries.ts'
import { exportBankLines } from '#features/buying/bank-transfer/queries.ts'
import { exportAddress } from '#features/people/address/queries.ts'
import { exportCart } from '#features/buying/cart/queries.ts'
import { exportGate } from '#features/buying/gate/queries.ts'
import { exportSavedAccount } from '#features/buying/saved-account/queries.ts'
import { exportPlayer } from '#features/supply/account-check/queries.ts'
import { exportFactors } from '#features/people/factor/queries.ts'
import { exportFavourite } from '#features/people/favourite/queries.ts'
import { exportIdentity } from '#features/people/identity/queries.ts'
import { exportMail } from '#features/people/mail/queries.ts'
import { exportNotice } from '#features/people/notice/queries.ts'
import { exportOrder } from '#features/buying/order/queries.ts'
import { exportReseller } from '#features/buying/reseller/queries.ts'
import { exportResellerSandbox } from '#features/buying/reseller-sandbox/queries.ts'
import { exportWebhook } from '#features/buying/webhook/queries.ts'
import { exportSalesInvoice } from '#features/buying/sales-invoice/queries.ts'
import { exportAgent } from '#features/buying/agent/queries.ts'
import { exportPhone } from '#features/people/phone/queries.ts'
import { exportCredit } from '#features/buying/transaction/queries.ts'
import { exportReview } from '#features/goods/review/queries.ts'
import { exportSession } from '#features/people/session/queries.ts'
import { exportUpload } from '#features/goods/upload/queries.ts'
import { exportShopperNote } from '#features/office/shopper/queries.ts'
import { exportApproval } from '#features/team/approval/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { ERASED_AT_ONCE, plainExport, type PersonExport, type PlainObject } from './rules.ts'

type Section = readonly [
  name: string,
  read: (db: Db, accountId: string) => Promise<readonly PlainObject[]>,
]

/** Every part of the shop that keeps something of a person. */
const SECTIONS: readonly Section[] = [
  ['account', exportAccount],
  ['addresses', exportAddress],
  ['sign_in_methods', exportFactors],
  ['linked_services', exportIdentity],
  ['devices', exportSession],
  ['favourites', exportFavourite],
  ['cart', exportCart],
  ['saved_accounts', exportSavedAccount],
  ['orders', exportOrder],
  ['reseller', exportReseller],
  ['reseller_tests', exportResellerSandbox],
  ['webhooks', exportWebhook],
  ['asked_by_programs', exportAgent],
  ['player_names', exportPlayer],
  ['invoices', exportSalesInvoice],
  ['store_credit', exportCredit],
  ['cases', exportCase],
  ['checks_before_delivery', exportGate],
  ['given_by_the_shop', exportApproval],
  ['notes_of_the_team', exportShopperNote],
  ['reviews', exportReview],
  ['notices', exportNotice],
  ['bank_lines', exportBankLines],
  ['pictures', exportUpload],
  ['mails', exportMail],
  ['text_messages', exportPhone],
]

/** Everything the shop keeps about a person, in plain objects. No secret is among it: no hash, no key, no seed. */
export async function exportEverything(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { accountId }: { readonly accountId: string },
): Promise<PersonExport> {
  const sections: Record<string, readonly PlainObject[]> = {}
  for (const [name, read] of SECTIONS) sections[name] = await read(ctx.db, accountId)
  return plainExport(ctx.now(), sections)
}

/** Accounts whose time to undo is over, behind `last`. */
export async function listDue(
  ctx: Pick<Ctx, 'db' | 'now'>,
  last: string | null,
): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('account')
    .select('id')
    .where('status', '=', 'cancelling')
    .where('erase_at', '<=', ctx.now())
    .$if(last !== null, (query) => query.where('id', '>', last))
    .orderBy('id')
    .limit(ERASED_AT_ONCE)
    .execute()
  return rows.map((row) => row.id)
}
