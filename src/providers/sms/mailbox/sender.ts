import type { MailSender } from '#providers/mail/sender.ts'
import type { SmsSender } from '../sender.ts'

/** Nobody's address: the demo's mailbox takes mail for anybody. */
const RECIPIENT = 'text-messages@localhost'

/** For the demo alone: a text message becomes a mail that says whom it would have gone to. @param mail to the demo's mailbox */
export function createMailboxSmsSender(mail: Pick<MailSender, 'send' | 'close'>): SmsSender {
  return {
    close: () => mail.close(),
    async send({ id, to, text }) {
      try {
        const delivery = await mail.send({
          messageId: `<sms-${id}@localhost>`,
          to: RECIPIENT,
          fromName: 'Demo text messages',
          subject: `SMS to ${to}`,
          text,
          html: htmlOf(text),
          language: 'en',
        })
        return delivery === 'sent'
          ? { kind: 'sent', reference: id }
          : { kind: 'refused', reason: 'the mailbox refused it' }
      } catch {
        return { kind: 'later', reason: 'the mailbox did not answer' }
      }
    },
  }
}

function htmlOf(text: string): string {
  const escaped = text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<!doctype html><meta charset="utf-8"><pre style="white-space: pre-wrap; font: inherit">${escaped}</pre>`
}
