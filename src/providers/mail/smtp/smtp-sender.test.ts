import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { createSmtpSender } from './smtp-sender.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** On an address of this machine that does not count as this machine's own. */
async function serve(
  options: SMTPServerOptions,
): Promise<{ host: string; signedIn: string[]; received: string[] }> {
  const [signedIn, received]: [string[], string[]] = [[], []]
  const server = new SMTPServer({
    logger: false,
    allowInsecureAuth: true,
    authOptional: true,
    onAuth(auth, _session, done) {
      signedIn.push(auth.username ?? '')
      done(null, { user: auth.username ?? '' })
    },
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        received.push(session.secure ? 'over TLS' : 'in the clear')
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  closing.push(() => server.close(() => {}))
  return { host: `127.0.0.2:${(server.server.address() as AddressInfo).port}`, signedIn, received }
}

function sender(url: string) {
  const made = createSmtpSender({ url: secret(url), from: 'no-reply@shop.example' })
  closing.push(() => made.close())
  return made
}

const message = {
  messageId: '<1@shop.example>',
  to: 'ann@shopper.example',
  fromName: 'Lukado',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  language: 'en',
}

test('a password is not given to a distant server in the clear, unless the address says so', async () => {
  const { host, signedIn, received } = await serve({ disabledCommands: ['STARTTLS'] })
  await expect(sender(`smtp://shop:hunter2@${host}`).send(message)).rejects.toThrow(
    /^The mail was not handed over: ETLS/,
  )
  expect(signedIn).toEqual([])
  expect(await sender(`smtp://shop:hunter2@${host}?requireTLS=false`).send(message)).toBe('sent')
  expect([signedIn, received]).toEqual([['shop'], ['in the clear']])
})

test.each(['smtp', 'smtps'])(
  'over %s a certificate that nobody vouches for is refused, unless the address says so',
  async (scheme) => {
    const { host, received } = await serve({ secure: scheme === 'smtps' })
    const failure = await sender(`${scheme}://shop:hunter2@${host}`)
      .check()
      .catch((error: unknown) => error as Error)
    expect(failure).toMatchObject({
      message: expect.stringMatching(
        /^The mail server of SMTP_URL \([\d.]+:\d+\) cannot be used: E\w+ \w+/,
      ) as string,
    })
    expect(String(failure)).not.toContain('hunter2')
    expect(
      await sender(`${scheme}://shop:hunter2@${host}?tls.rejectUnauthorized=false`).send(message),
    ).toBe('sent')
    expect(received).toEqual(['over TLS'])
  },
)

test('a server that closes the door is told by its code alone', async () => {
  const { host } = await serve({
    onConnect: (_session, done) =>
      done(Object.assign(new Error('go away, ann@shopper.example'), { responseCode: 554 })),
  })
  const failure = await sender(`smtp://${host}`)
    .send(message)
    .catch((error: unknown) => String(error))
  expect(failure).toContain('554')
  expect(failure).not.toContain('ann@')
})
