import { expect, test } from 'vitest'
import type { OutgoingMessage } from '#providers/mail/sender.ts'
import { createMailboxSmsSender } from './sender.ts'

const SMS = { id: '0198a000-0000-7000-8000-000000000001', to: '+6281234567890', text: '<b>123456</b> & more', validSeconds: 600 }

test('a text message can be read in the mailbox, with the number it was for', async () => {
  const sent: OutgoingMessage[] = []
  const sender = createMailboxSmsSender({ send: (message) => Promise.resolve(sent.push(message) > 0 ? 'sent' : 'refused') })
  expect(await sender.send(SMS)).toEqual({ kind: 'sent', reference: SMS.id })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ to: 'text-messages@localhost', subject: 'SMS to +6281234567890', text: SMS.text })
  expect(sent[0]?.html).toContain('&#60;b&#62;123456&#60;/b&#62; &#38; more')
})

test('a mailbox that does not answer is tried again later', async () => {
  const sender = createMailboxSmsSender({ send: () => Promise.reject(new Error('connect ECONNREFUSED')) })
  expect((await sender.send(SMS)).kind).toBe('later')
})
