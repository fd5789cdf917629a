import { createTransport } from 'nodemailer'
import type { Secret } from '#platform/secret.ts'
import type { Delivery, MailSender, OutgoingMessage } from '../sender.ts'

export interface SmtpOptions {
  /** `smtp://` (raised to TLS when the server offers it) or `smtps://`; see docs/operating/configure.md. */
  readonly url: Secret
  /** Address that mails come from. */
  readonly from: string
}

const MAX_CONNECTIONS = 2
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** Whatever happens, one mail is not waited for longer. */
const WHOLE_MS = 60_000

/** Sends over SMTP (RFC 5321), keeping a few connections open while there is something to send. `check` connects and signs in, and sends nothing. */
export function createSmtpSender({
  url,
  from,
}: SmtpOptions): MailSender & { readonly check: () => Promise<void> } {
  const transport = createTransport({
    url: url.reveal(),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxMessages: 100,
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    requireTLS: needsTls(url),
    // A message holds texts alone: nothing in it may name a file or an address to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    close: () => transport.close(),
    check: async () => {
      try {
        await within(WHOLE_MS, transport.verify())
      } catch (error) {
        const { host } = new URL(url.reveal())
        throw new Error(`The mail server of SMTP_URL (${host}) cannot be used: ${codesOf(error)}.`)
      }
    },
    async send(message) {
      assertOneLine(
        message.messageId,
        message.to,
        message.fromName,
        message.subject,
        message.language,
      )
      try {
        await within(WHOLE_MS, transport.sendMail(envelopeOf(message, from)))
        return 'sent'
      } catch (error) {
        return refusedOrThrow(error)
      }
    },
  }
}

function envelopeOf(message: OutgoingMessage, from: string) {
  return {
    messageId: message.messageId,
    from: { name: message.fromName, address: from },
    // As an object, so that nothing in the address is read as a list or a name.
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    attachments: (message.pictures ?? []).map(({ cid, content }) => ({
      cid,
      filename: `${cid}.png`,
      content: Buffer.from(content),
      contentType: 'image/png',
      contentDisposition: 'inline' as const,
    })),
    headers: {
      'Content-Language': message.language,
      // RFC 3834: no out-of-office answers, please; the second is what Exchange goes by.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  }
}

/** The library builds and encodes the headers; a line end never gets as far. */
function assertOneLine(...values: readonly string[]): void {
  if (values.some((value) => /[\r\n\0]/.test(value)))
    throw new Error('A mail header holds a line end')
}

/** A password goes to a distant server over TLS only, unless the address says otherwise. */
function needsTls(url: Secret): boolean {
  const { username, hostname, searchParams } = new URL(url.reveal())
  const asked = searchParams.get('requireTLS')
  if (asked !== null) return asked !== 'false'
  return username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(Object.assign(new Error('The mail server took too long'), { code: 'ETIMEDOUT' })),
    milliseconds,
  )
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Servers repeat the recipient in their answers, and logs are no place for it: of an error only its codes are told. */
function refusedOrThrow(error: unknown): Delivery {
  const { command, responseCode, response } = error as SmtpError
  // 5.7.x is about who may send, not about who receives (RFC 3463): that is for the operator to mend.
  if (command === 'RCPT TO' && (responseCode ?? 0) >= 500 && !/\b5\.7\.\d/.test(response ?? ''))
    return 'refused'
  throw new Error(`The mail was not handed over: ${codesOf(error)}`)
}

type SmtpError = {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

/** "EAUTH AUTH PLAIN 535", "ESOCKET CONN ECONNREFUSED": codes alone, as a server's sentence may name who the mail is for. */
function codesOf(error: unknown): string {
  const { code, command, responseCode } = error as SmtpError
  const cause =
    error instanceof Error && code === 'ESOCKET'
      ? /\bE[A-Z]{4,}\b/.exec(error.message)?.[0]
      : undefined
  return (
    [code, command, responseCode, cause].filter((part) => part !== undefined).join(' ') ||
    (error instanceof Error ? error.name : 'unknown')
  )
}
