import { readShopSettings } from '#features/base/shop/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { SmsSender } from '#providers/sms/sender.ts'
import { claimSms, closeSms, forgetOldSms, releaseSms } from './commands.ts'
import { CODE_LIFE_SECONDS, withAutofill } from './rules.ts'
import { sendSmsPayload } from './schema.ts'

export interface SmsServices {
  /** Null in a shop that cannot send any. */
  readonly sms: SmsSender | null
  /** Origin of the shop. */
  readonly publicUrl: string
}

/**
 * The job `send_sms`. A message that was surely not taken is tried again by the queue, with a new code, while the code would
 * still be waited for; one that may have been sent is not: the person can ask for another.
 */
export async function sendSms(
  ctx: Ctx,
  payload: unknown,
  { sms, publicUrl }: SmsServices,
): Promise<void> {
  const { id } = sendSmsPayload.parse(payload)
  const claimed = await claimSms(ctx, id)
  if (!claimed) return
  if (!sms) return closeSms(ctx, id, false)
  const { name: shop } = await readShopSettings(ctx.db)
  const text = translatorOf(claimed.language)('phone.sms.code', {
    code: claimed.code,
    shop,
    minutes: CODE_LIFE_SECONDS / 60,
  })
  const outcome = await sms.send({
    id,
    to: claimed.mobile,
    text: withAutofill(text, claimed.code, publicUrl),
    validSeconds: CODE_LIFE_SECONDS,
  })
  switch (outcome.kind) {
    case 'sent':
      return closeSms(ctx, id, true)
    case 'later':
      await releaseSms(ctx, id)
      throw new Error(`text message not taken: ${outcome.reason}`)
    case 'refused':
    case 'unknown':
      ctx.log.warn('a text message was not sent', {
        id,
        outcome: outcome.kind,
        reason: outcome.reason,
      })
      return closeSms(ctx, id, false)
  }
}

/** Once an hour. */
export async function cleanSms(ctx: Pick<Ctx, 'db' | 'now'>): Promise<void> {
  await forgetOldSms(ctx)
}
