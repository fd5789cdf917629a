import { SMTPServer } from 'smtp-server'
import type { Mailbox } from './mailbox.ts'

const LARGEST_BYTES = 5 * 1024 * 1024

/** Takes every mail it is given over SMTP on loopback and sends none of them on. */
export function receiveMail(
  mailbox: Mailbox,
  port: number,
  onFault: (error: unknown) => void,
): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: LARGEST_BYTES,
    maxClients: 20,
    banner: 'demo mailbox',
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk)
      })
      stream.once('end', () => {
        if (stream.sizeExceeded)
          return done(Object.assign(new Error('The mail is too large'), { responseCode: 552 }))
        try {
          mailbox.add(
            Buffer.concat(chunks),
            session.envelope.rcptTo.map(({ address }) => address),
          )
          done()
        } catch (error) {
          onFault(error)
          done(Object.assign(new Error('The mail could not be kept'), { responseCode: 451 }))
        }
      })
    },
  })
  server.on('error', onFault)
  return new Promise((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
