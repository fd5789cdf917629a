import type { Config } from '#platform/config.ts'
import { secret } from '#platform/secret.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { createMailboxSmsSender } from './mailbox/sender.ts'
import type { SmsSender } from './sender.ts'
import { createTwilioSender } from './twilio/sender.ts'

/** The sender a shop has set up, else the demo's mailbox, else none. */
export function offeredSmsSender({
  twilio,
  sandboxPorts,
  mailFrom,
}: Pick<Config, 'twilio' | 'sandboxPorts' | 'mailFrom'>): SmsSender | null {
  if (twilio) return createTwilioSender(twilio)
  const port = sandboxPorts['smtp']
  return port === undefined
    ? null
    : createMailboxSmsSender(
        createSmtpSender({ url: secret(`smtp://127.0.0.1:${port}`), from: mailFrom }),
      )
}
