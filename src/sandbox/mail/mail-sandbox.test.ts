import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HtmlValidate } from 'html-validate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freePort } from '#platform/free-port.ts'
import { secret } from '#platform/secret.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { withSandboxes } from '../../sandbox-gate.ts'
import { KEPT_MAILS, openMailbox } from './mailbox.ts'

let folder = ''
let children: ChildProcess[] = []
let servers: Server[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-mail-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close().closeAllConnections()
  rmSync(folder, { recursive: true })
})

/** The sandbox as `start` runs it, behind the shop's gate. */
async function start() {
  const [mail, smtp] = [await freePort(), await freePort()]
  const gate = createServer(
    withSandboxes((_req, res) => void res.writeHead(404).end(), {
      ports: { mail, smtp },
      publicUrl: 'http://shop.example',
    }),
  )
  servers.push(gate)
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(mail),
      SANDBOX_PORTS: `mail:${mail},smtp:${smtp}`,
      DATA_DIR: folder,
      PUBLIC_URL: 'http://shop.example',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.push(child)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // A busy machine may take longer to start it than the gate waits.
  await vi.waitFor(() => fetch(`http://127.0.0.1:${mail}/`), { timeout: 60_000, interval: 20 })
  return {
    base: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    smtp,
    stop: () => (child.kill('SIGTERM'), ended),
  }
}

async function send(port: number, to: string, html = '<p>Hello</p>'): Promise<void> {
  const sender = createSmtpSender({
    url: secret(`smtp://127.0.0.1:${port}`),
    from: 'no-reply@shop.example',
  })
  await sender.send({
    messageId: `<${to}>`,
    to,
    fromName: 'Lukado',
    subject: 'Willkommen ☺ <b>',
    text: 'Code:\n\n482019\n\nhttp://shop.example/mobile/register?key=a_b\n',
    html,
    language: 'de',
  })
  sender.close()
}

interface Listed {
  id: string
  to: string[]
  subject: string
  text: string
  html: string
  links: string[]
}

const list = async (base: string, query = '') =>
  (await (await fetch(`${base}/sandbox/mail.json${query}`)).json()) as Listed[]

test('mails sent are listed for programs and people, survive a restart, and can be deleted', async () => {
  const first = await start()
  expect(await list(first.base)).toEqual([])
  await send(first.smtp, 'ann@shopper.example')
  await send(first.smtp, 'bob@shopper.example')
  const all = await list(first.base)
  expect(all).toMatchObject([
    { to: ['bob@shopper.example'] },
    {
      to: ['ann@shopper.example'],
      subject: 'Willkommen ☺ <b>',
      text: 'Code:\n\n482019\n\nhttp://shop.example/mobile/register?key=a_b',
      html: expect.stringContaining('<p>Hello</p>') as string,
      links: ['http://shop.example/mobile/register?key=a_b'],
    },
  ])
  expect(await list(first.base, '?to=ANN')).toMatchObject([{ to: ['ann@shopper.example'] }])
  expect(await first.stop()).toBe(0)

  const again = await start()
  expect(await list(again.base)).toEqual(all)
  const foreign = await fetch(`${again.base}/sandbox/mail/delete`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(foreign.status).toBe(403)
  expect((await fetch(`${again.base}/sandbox/mail/delete`)).status).toBe(405)
  const deleted = await fetch(`${again.base}/sandbox/mail/delete`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'http://shop.example' },
  })
  expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/sandbox/mail'])
  expect(await list(again.base)).toEqual([])
  expect(readdirSync(join(folder, 'sandbox', 'mail'))).toEqual([])
})

test('every page is valid, says that it is a sandbox, and runs nothing a mail brings along', async () => {
  const { base, smtp } = await start()
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: { 'require-sri': 'off' },
  })
  const pages = async (paths: readonly string[]) => {
    for (const path of paths) {
      const answer = await fetch(base + path)
      const html = await answer.text()
      const report = await validator.validateString(html)
      expect(
        report.results.flatMap(({ messages }) =>
          messages.map(({ message, line }) => `${path}:${line} ${message}`),
        ),
      ).toEqual([])
      expect(html).toContain('Demo mailbox: nothing here was sent.')
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-/,
      )
    }
  }
  await pages([
    '/sandbox/mail',
    '/sandbox/mail?to=%22%3E%3Cscript%3E',
    '/sandbox/mail/00000000000000-000000',
  ])
  await send(
    smtp,
    'ann@shopper.example',
    '<html><head></head><body><script>alert(1)</script><a href="http://shop.example">x</a></body></html>',
  )
  const [mail] = await list(base)
  await pages(['/sandbox/mail', `/sandbox/mail/${mail?.id}`])
  const shown = await fetch(`${base}/sandbox/mail/${mail?.id}/html`)
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(shown.headers.get('content-security-policy')).toContain('; sandbox allow-popups')
  expect(await shown.text()).toContain('<base target="_blank">')
})

test('the last 500 mails are kept, and a broken file is passed over', async () => {
  let at = 0
  const mailbox = openMailbox(folder, () => new Date((at += 1)))
  for (let number = 0; number < KEPT_MAILS + 3; number += 1)
    mailbox.add(Buffer.from(`Subject: ${number}\r\n\r\nx`), ['a@b.example'])
  expect((await mailbox.list()).at(-1)?.subject).toBe('3')
  writeFileSync(join(folder, readdirSync(folder).sort()[0] ?? ''), '{"id":')
  expect(await openMailbox(folder).list()).toHaveLength(KEPT_MAILS - 1)
})

test('pictures that came along with a mail show in it', async () => {
  const mailbox = openMailbox(folder)
  const raw = [
    'From: no-reply@shop.example',
    'To: ann@shopper.example',
    'Content-Type: multipart/related; boundary=b',
    '',
    '--b',
    'Content-Type: text/html',
    '',
    '<img src="cid:cover-1"><img src="cid:gone">',
    '--b',
    'Content-Type: image/png',
    'Content-ID: <cover-1>',
    'Content-Transfer-Encoding: base64',
    '',
    'AAEC',
    '--b--',
    '',
  ].join('\r\n')
  mailbox.add(Buffer.from(raw), ['ann@shopper.example'])
  const [mail] = await mailbox.list()
  expect(mail?.html.trim()).toBe('<img src="data:image/png;base64,AAEC"><img src="cid:gone">')
})
