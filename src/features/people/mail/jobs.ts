import { present } from '#kernel/assert.ts'
import { getLanguage } from '#kernel/language.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Theme } from '#features/base/theme/rules.ts'
import { themeSetting } from '#features/base/theme/schema.ts'
import { readShopSettings } from '#features/base/shop/queries.ts'
import type { ShopSettings } from '#features/base/shop/rules.ts'
import { issueDecoy, issueVerification } from '#features/people/verification/commands.ts'
import type { Db } from '#platform/db.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { MailSender } from '#providers/mail/sender.ts'
import { giveUpMail, markSent } from './commands.ts'
import { renderLetter } from './emails/letter.ts'
import { listUnsent, readAccounts, type KnownAccounts } from './queries.ts'
import { chooseMail, isStale, linkOf, proofOf, type Choice, type MailPicture } from './rules.ts'
import { outgoingMail, sendMailPayload, type OutgoingMail } from './schema.ts'

export interface MailServices {
  readonly mail: MailSender
  /** Origin of the shop. */
  readonly publicUrl: string
  /** Origin of the operators' console, where it is another. */
  readonly consoleUrl?: string | undefined
  readonly timeZone: string
  /** A small cover as PNG, null for a code that names none; without it mails about orders show no covers. */
  readonly drawCover?: (db: Db, code: string, isMirrored: boolean) => Promise<Uint8Array | null>
}

/** Of one job; the sender has few connections, and what waits for one of them is ready by then. */
const SENT_AT_ONCE = 8

/**
 * The job `send_mail`. Mails already sent are not sent again; while one fails the job is tried again by the queue for those that are
 * left, with new codes and under the same Message-IDs.
 */
export async function sendMail(ctx: Ctx, payload: unknown, services: MailServices): Promise<void> {
  const { ids } = sendMailPayload.parse(payload)
  const unsent = await listUnsent(ctx.db, ids)
  if (unsent.length === 0) return
  const [known, shop, theme] = await Promise.all([
    readAccounts(ctx.db, unsent),
    readShopSettings(ctx.db),
    readSetting(ctx.db, themeSetting),
  ])
  const failures: unknown[] = []
  const rows = unsent.values()
  await Promise.all(
    Array.from({ length: SENT_AT_ONCE }, async () => {
      for (const row of rows) {
        try {
          await sendOne(ctx, outgoingMail.parse(row), { known, shop, theme, services })
        } catch (error) {
          failures.push(error)
        }
      }
    }),
  )
  if (failures.length > 0) throw failures[0]
}

interface Sending {
  readonly known: KnownAccounts
  readonly shop: ShopSettings
  readonly theme: Theme
  readonly services: MailServices
}

async function sendOne(
  ctx: Ctx,
  mail: OutgoingMail,
  { known, shop, theme, services }: Sending,
): Promise<void> {
  const { id } = mail
  const to = present(mail.recipient, 'a recipient')
  const isLate = isStale(mail.kind, mail.createdAt, ctx.now())
  const choice = isLate ? null : choose(known, mail, to)
  if (!isLate) await hideMissingCode(ctx, mail, to, choice)
  const proof = choice && (await makeProof(ctx, choice, mail, to, services))
  if (!choice || !proof) return giveUpMail(ctx, id)

  const covers = await coversOf(ctx, mail, services)
  const letter = renderLetter(
    {
      kind: choice.kind,
      language: mail.language,
      params: mail.params,
      at: mail.createdAt,
      nickname: choice.account?.nickname ?? null,
      eraseAt: choice.account?.eraseAt ?? null,
      code: proof.code,
      link: proof.link,
      covers,
      shop: {
        name: shop.name,
        signature: shop.mailSignature,
        corporateName: shop.corporateName,
        address: shop.address,
        publicUrl: services.publicUrl,
        timeZone: services.timeZone,
        theme,
      },
    },
    translatorOf(mail.language),
  )
  const delivery = await services.mail.send({
    messageId: `<${id}@${new URL(services.publicUrl).hostname}>`,
    to,
    fromName: (shop.mailSender ?? shop.name).replaceAll(/[\p{Cc}]+/gu, ' '),
    ...letter,
    language: getLanguage(mail.language).tag,
  })
  if (delivery === 'sent') {
    // SMTP has no place for the id of the request that led to it: the server's log names the Message-ID, and this line both.
    ctx.log.info('a mail was handed over', { id, kind: choice.kind })
    return markSent(ctx, id)
  }
  ctx.log.warn('a mail was refused for good', { id, kind: choice.kind })
  await giveUpMail(ctx, id)
}

/** More than that, and what a mail is about would no longer be its text. */
const COVERS_MOST = 8

/** Covers of what an order holds, by their codes. One that cannot be drawn is left out: a mail never waits for a picture. */
async function coversOf(
  ctx: Ctx,
  { id, language, params }: OutgoingMail,
  { drawCover }: MailServices,
): Promise<ReadonlyMap<string, MailPicture>> {
  const codes = new Set(params.order?.lines?.flatMap(({ picture }) => picture ?? []))
  const covers = new Map<string, MailPicture>()
  if (!drawCover) return covers
  const isMirrored = getLanguage(language).dir === 'rtl'
  for (const code of [...codes].slice(0, COVERS_MOST)) {
    try {
      const content = await drawCover(ctx.db, code, isMirrored)
      if (content) covers.set(code, { cid: `cover-${covers.size + 1}`, content })
    } catch (error) {
      ctx.log.warn('a mail goes without the cover of its goods', { id, code, error })
    }
  }
  return covers
}

function choose({ byId, byAddress }: KnownAccounts, mail: OutgoingMail, to: string): Choice | null {
  const own = mail.accountId === null ? null : (byId.get(mail.accountId) ?? null)
  const choice = chooseMail(mail.kind, own, byAddress.get(to.toLowerCase()) ?? null)
  // An address not proven yet may be a stranger's: it is not told who asked.
  return choice?.kind === 'email_code' && choice.account
    ? { ...choice, account: { ...choice.account, nickname: null } }
    : choice
}

/** A code was asked for and none is sent: whoever then tries one must not see the difference. */
async function hideMissingCode(
  ctx: Ctx,
  mail: OutgoingMail,
  to: string,
  choice: Choice | null,
): Promise<void> {
  const asked = proofOf(mail.kind)
  if (!asked?.withCode || choice?.kind === mail.kind) return
  await transaction(ctx, (tx) =>
    issueDecoy(tx, ctx, {
      purpose: asked.purpose,
      target: to,
      accountId: mail.accountId,
      asker: mail.params.asker,
    }),
  )
}

/** Null when there is nothing left to prove: the cancellation was undone, or its time is over. */
async function makeProof(
  ctx: Ctx,
  choice: Choice,
  mail: OutgoingMail,
  to: string,
  { publicUrl, consoleUrl }: MailServices,
): Promise<{ code: string | null; link: string | null } | null> {
  const proof = proofOf(choice.kind)
  if (!proof) return { code: null, link: null }
  const life =
    proof.lasts === 'erasure'
      ? (choice.account?.eraseAt?.getTime() ?? 0) - ctx.now().getTime()
      : proof.lasts * 1_000
  if (life <= 0) return null
  const { code, secret } = await transaction(ctx, (tx) =>
    issueVerification(tx, ctx, {
      purpose: proof.purpose,
      accountId: choice.account?.id ?? null,
      target: proof.lasts === 'erasure' ? '' : to,
      asker: mail.params.asker,
      withCode: proof.withCode,
      withSecret: proof.page !== null,
      ttl: life,
    }),
  )
  return {
    code: code ?? null,
    link:
      proof.page && secret
        ? linkOf(publicUrl, mail.language, proof.page, secret, consoleUrl)
        : null,
  }
}
