import { setTimeout as sleep } from 'node:timers/promises'

export interface Mail {
  readonly id: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Addresses in it. */
  readonly links: readonly string[]
}

/** The mails of one address as the demo shop keeps them; each is taken once. */
export interface Mailbox {
  /** Waits for the next mail that carries a code of six digits. */
  readonly takeCode: () => Promise<string>
  /** Waits for the next mail with a link to the path, and answers path and query of that link. */
  readonly takeLink: (path: string) => Promise<string>
  /** Waits for the next mail, with that subject where one is given. */
  readonly take: (subject?: string) => Promise<Mail>
}

const PATIENCE_MS = 15_000
/** Alone on its line. */
const CODE = /^\d{6}$/m

export function openMailbox(shopUrl: string, address: string): Mailbox {
  const taken = new Set<string>()
  const unread = async () => {
    const answer = await fetch(`${shopUrl}/sandbox/mail.json?to=${encodeURIComponent(address)}`)
    return ((await answer.json()) as Mail[]).filter(({ id }) => !taken.has(id)).reverse()
  }
  /** What was sent at the same time with another purpose stays for whoever asks for it. */
  const takeWhere = async (what: string, matches: (mail: Mail) => boolean): Promise<Mail> => {
    for (
      const deadline = performance.now() + PATIENCE_MS;
      performance.now() < deadline;
      await sleep(100)
    ) {
      const mail = (await unread()).find(matches)
      if (!mail) continue
      taken.add(mail.id)
      return mail
    }
    throw new Error(
      `No mail with ${what} came to ${address}; there are: ${(await unread()).map(({ subject }) => subject).join(', ') || 'none'}`,
    )
  }
  return {
    async takeCode() {
      return codeIn(await takeWhere('a code', (mail) => CODE.test(mail.text)))
    },
    async takeLink(path) {
      const leads = (link: string) => new URL(link).pathname.endsWith(path)
      const { links } = await takeWhere(`a link to ${path}`, (mail) => mail.links.some(leads))
      const { pathname, search } = new URL(links.find(leads) ?? '')
      return `${pathname}${search}`
    },
    take: (subject) =>
      takeWhere(
        `subject "${subject ?? ''}"`,
        (mail) => subject === undefined || mail.subject === subject,
      ),
  }
}

export function codeIn({ text }: Mail): string {
  return CODE.exec(text)?.[0] ?? ''
}
