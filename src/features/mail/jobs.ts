import { getLanguage } from '#kernel/language.ts'
import { readShopSettings } from '#features/shop/queries.ts'
import { issueDecoy, issueVerification } from '#features/verification/commands.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { MailSender } from '#providers/mail/sender.ts'
import { giveUpMail, markSent } from './commands.ts'
import { renderLetter } from './emails/letter.ts'
import { findAccount, findAccountByAddress, readMail } from './queries.ts'
import { chooseMail, isStale, linkOf, proofOf, type Choice } from './rules.ts'
import { sendMailPayload, type OutgoingMail } from './schema.ts'

export interface MailServices {
  readonly mail: MailSender
  /** Origin of the shop. */
  readonly publicUrl: string
  readonly timeZone: string
}

/**
 * The job `send_mail`. A mail already sent is not sent again; one that fails is tried again by the queue, with a new code
 * and under the same Message-ID.
 */
export async function sendMail(ctx: Ctx, payload: unknown, services: MailServices): Promise<void> {
  const { id } = sendMailPayload.parse(payload)
  const mail = await readMail(ctx.db, id)
  if (!mail || mail.sentAt || mail.recipient === null) return
  const to = mail.recipient
  const isLate = isStale(mail.kind, mail.createdAt, ctx.now())
  const choice = isLate ? null : await choose(ctx, mail, to)
  if (!isLate) await hideMissingCode(ctx, mail, to, choice)
  const proof = choice && (await makeProof(ctx, choice, mail, to, services.publicUrl))
  if (!choice || !proof) return giveUpMail(ctx, id)

  const shop = await readShopSettings(ctx.db)
  const letter = renderLetter(
    {
      kind: choice.kind, language: mail.language, params: mail.params, at: mail.createdAt, nickname: choice.account?.nickname ?? null,
      eraseAt: choice.account?.eraseAt ?? null, code: proof.code, link: proof.link,
      shop: { name: shop.name, corporateName: shop.corporateName, address: shop.address, publicUrl: services.publicUrl, timeZone: services.timeZone },
    },
    translatorOf(mail.language),
  )
  const delivery = await services.mail.send({
    messageId: `<${id}@${new URL(services.publicUrl).hostname}>`, to, fromName: shop.name.replaceAll(/[\p{Cc}]+/gu, ' '),
    ...letter, language: getLanguage(mail.language).tag,
  })
  if (delivery === 'sent') return markSent(ctx, id)
  ctx.log.warn('a mail was refused for good', { id, kind: choice.kind })
  await giveUpMail(ctx, id)
}

async function choose(ctx: Ctx, mail: OutgoingMail, to: string): Promise<Choice | null> {
  const [own, known] = await Promise.all([mail.accountId === null ? null : findAccount(ctx.db, mail.accountId), findAccountByAddress(ctx.db, to)])
  const choice = chooseMail(mail.kind, own, known)
  // An address not proven yet may be a stranger's: it is not told who asked.
  return choice?.kind === 'email_code' && choice.account ? { ...choice, account: { ...choice.account, nickname: null } } : choice
}

/** A code was asked for and none is sent: whoever then tries one must not see the difference. */
async function hideMissingCode(ctx: Ctx, mail: OutgoingMail, to: string, choice: Choice | null): Promise<void> {
  const asked = proofOf(mail.kind)
  if (!asked?.withCode || choice?.kind === mail.kind) return
  await transaction(ctx, (tx) => issueDecoy(tx, ctx, { purpose: asked.purpose, target: to, accountId: mail.accountId }))
}

/** Null when there is nothing left to prove: the cancellation was undone, or its time is over. */
async function makeProof(ctx: Ctx, choice: Choice, mail: OutgoingMail, to: string, publicUrl: string): Promise<{ code: string | null; link: string | null } | null> {
  const proof = proofOf(choice.kind)
  if (!proof) return { code: null, link: null }
  const life = proof.lasts === 'erasure' ? (choice.account?.eraseAt?.getTime() ?? 0) - ctx.now().getTime() : proof.lasts * 1_000
  if (life <= 0) return null
  const { code, secret } = await transaction(ctx, (tx) => issueVerification(tx, ctx, {
    purpose: proof.purpose, accountId: choice.account?.id ?? null, target: proof.lasts === 'erasure' ? '' : to,
    withCode: proof.withCode, withSecret: proof.page !== null, ttl: life,
  }))
  return { code: code ?? null, link: proof.page && secret ? linkOf(publicUrl, mail.language, proof.page, secret) : null }
}
