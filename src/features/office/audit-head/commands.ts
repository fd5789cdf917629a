import { findHead } from '#features/base/audit/queries.ts'
import type { SealHead } from '#features/base/audit/rules.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import { postMessage } from '#features/office/alert/commands.ts'
import { alertsSetting } from '#features/office/alert/schema.ts'
import { postMail } from '#features/people/mail/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'

/** Tells the newest seal to whom the shop's alerts go, so that a copy of it is out of reach of whoever has the shop. @returns null before the first */
export async function postHead(ctx: Ctx, publicUrl: string): Promise<SealHead | null> {
  return transaction(ctx, async (tx, now) => {
    const head = await findHead(tx)
    if (!head) return null
    const { email, language, webhook } = await readSetting(tx, alertsSetting)
    const { number, hash } = head
    const at = head.sealedAt.toISOString()
    if (email !== null)
      await postMail(tx, ctx, {
        kind: 'audit_head',
        accountId: null,
        recipient: email,
        language,
        params: { seal: { number, hash, at } },
      })
    if (webhook !== null)
      await postMessage(tx, ctx, now, {
        type: 'audit.head',
        data: { shop: publicUrl, batch: number, hash, sealed_at: at },
      })
    return head
  })
}
