import { expect, type APIRequestContext } from '@playwright/test'

export interface Mail {
  readonly id: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly links: readonly string[]
}

/** The newest mail to an address whose text holds what is looked for, once it has arrived in the demo's mailbox. */
export async function mailTo(request: APIRequestContext, baseURL: string, to: string, looked: string | RegExp = ''): Promise<Mail> {
  const found: { mail?: Mail } = {}
  await expect(async () => {
    const mails = (await (await request.get(`${baseURL}/sandbox/mail.json?to=${encodeURIComponent(to)}`)).json()) as Mail[]
    const mail = mails.find(({ subject, text }) => (typeof looked === 'string' ? `${subject}\n${text}`.includes(looked) : looked.test(`${subject}\n${text}`)))
    expect(mail, `a mail to ${to}`).toBeDefined()
    if (mail) found.mail = mail
  }).toPass({ timeout: 15_000, intervals: [100, 200, 400] })
  if (!found.mail) throw new Error(`no mail to ${to}`)
  return found.mail
}

/** The six digits that stand alone in a line. */
export function codeIn(mail: Mail): string {
  return /^\d{6}$/m.exec(mail.text)?.[0] ?? ''
}

/** The link to one of the pages that take a key. */
export function linkIn(mail: Mail): string {
  return mail.links.find((link) => link.includes('?key=')) ?? ''
}
