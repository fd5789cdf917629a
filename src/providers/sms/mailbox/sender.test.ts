import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OutgoingMessage } from '#providers/mail/sender.ts'
import { startMailServer, type MailServer } from '../../../../test/support/mail-server.ts'
import { offeredSmsSender } from '../offered.ts'
import { createMailboxSmsSender } from './sender.ts'

const SMS = {
  id: '0198a000-0000-7000-8000-000000000001',
  to: '+6281234567890',
  text: '<b>123456</b> & more',
  validSeconds: 600,
}

let mailbox: MailServer
beforeAll(async () => {
  mailbox = await startMailServer()
})
afterAll(() => mailbox.stop())

test('in the demo a text message goes to the mailbox on this machine, elsewhere to nobody', async () => {
  const config = {
    twilio: undefined,
    sandboxPorts: { smtp: Number(new URL(mailbox.url).port) },
    mailFrom: 'no-reply@shop.example',
  }
  const sender = offeredSmsSender(config)
  expect(await sender?.send({ ...SMS, text: '١٢٣٤٥٦ is your code' })).toEqual({
    kind: 'sent',
    reference: SMS.id,
  })
  sender?.close()
  const [mail] = await mailbox.received()
  expect(mail).toMatchObject({
    subject: 'SMS to +6281234567890',
    to: [{ address: 'text-messages@localhost' }],
  })
  expect(mail?.text?.trim()).toBe('١٢٣٤٥٦ is your code')
  expect(offeredSmsSender({ ...config, sandboxPorts: {} })).toBeNull()
})

test('a text message can be read in the mailbox, with the number it was for', async () => {
  const sent: OutgoingMessage[] = []
  const sender = createMailboxSmsSender({
    close: () => {},
    send: (message) => Promise.resolve(sent.push(message) > 0 ? 'sent' : 'refused'),
  })
  expect(await sender.send(SMS)).toEqual({ kind: 'sent', reference: SMS.id })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    to: 'text-messages@localhost',
    subject: 'SMS to +6281234567890',
    text: SMS.text,
  })
  expect(sent[0]?.html).toContain('&#60;b&#62;123456&#60;/b&#62; &#38; more')
})

test('a mailbox that does not answer is tried again later', async () => {
  const sender = createMailboxSmsSender({
    close: () => {},
    send: () => Promise.reject(new Error('connect ECONNREFUSED')),
  })
  expect((await sender.send(SMS)).kind).toBe('later')
})
