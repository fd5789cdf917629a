import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  readonly url: string
  /** As they came over the wire, oldest first. */
  readonly raw: readonly string[]
  readonly received: () => Promise<Email[]>
  /** Recipients containing the text are refused for good with this answer. */
  refuse: { containing: string; code: number; answer: string } | null
  readonly stop: () => Promise<void>
}

/** A real SMTP server on a free loopback port that keeps what it is given. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const raw: string[] = []
  const made: { server: MailServer | null } = { server: null }
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const refuse = made.server?.refuse
      if (!refuse || !address.includes(refuse.containing)) return done()
      done(Object.assign(new Error(refuse.answer), { responseCode: refuse.code }))
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        raw.push(Buffer.concat(chunks).toString('latin1'))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve))
  const address = smtp.server.address() as AddressInfo
  return (made.server = {
    url: `smtp://127.0.0.1:${address.port}`,
    raw,
    refuse: null,
    received: () => Promise.all(raw.map((text) => PostalMime.parse(Buffer.from(text, 'latin1')))),
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  })
}
