import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** A mail as it was received. */
export interface StoredMail {
  /** Sorts by time of arrival. */
  readonly id: string
  readonly receivedAt: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Addresses in it, each once, in the order they stand in the text. */
  readonly links: readonly string[]
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

export interface Mailbox {
  /** Newest first; `to` narrows it to mails to an address that contains the text. */
  readonly list: (to?: string) => Promise<readonly StoredMail[]>
  readonly find: (id: string) => Promise<StoredMail | undefined>
  readonly add: (raw: Uint8Array, recipients: readonly string[]) => void
  readonly clear: () => void
}

/** As it came; it is taken apart when somebody looks. */
interface Received extends Pick<StoredMail, 'id' | 'receivedAt' | 'to'> {
  /** Base64. */
  readonly raw: string
}

export const KEPT_MAILS = 500
const FILE = /^\d{14}-\d{6}\.json$/

/** The last mails, in memory and as a file each, so that a restart finds them again. */
export function openMailbox(folder: string, now: () => Date = () => new Date()): Mailbox {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mails: Received[] = readdirSync(folder)
    .filter((name) => FILE.test(name))
    .sort()
    .slice(-KEPT_MAILS)
    .flatMap((name) => readReceived(join(folder, name)))
  const opened = new WeakMap<Received, Promise<StoredMail>>()
  let serial = 0
  const open = (mail: Received): Promise<StoredMail> => {
    const kept = opened.get(mail) ?? parse(mail)
    opened.set(mail, kept)
    return kept
  }
  const drop = (dropped: readonly Received[]) => {
    for (const { id } of dropped) rmSync(join(folder, `${id}.json`), { force: true })
  }
  return {
    list(to) {
      const wanted = to?.toLowerCase() ?? ''
      return Promise.all(
        mails
          .filter(
            (mail) =>
              wanted === '' || mail.to.some((address) => address.toLowerCase().includes(wanted)),
          )
          .reverse()
          .map(open),
      )
    },
    async find(id) {
      const mail = mails.find((each) => each.id === id)
      return mail && open(mail)
    },
    add(raw, recipients) {
      const at = now()
      const id = `${String(at.getTime()).padStart(14, '0')}-${String((serial = (serial + 1) % 1_000_000)).padStart(6, '0')}`
      const mail: Received = {
        id,
        receivedAt: at.toISOString(),
        to: recipients,
        raw: Buffer.from(raw).toString('base64'),
      }
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(mail), { mode: 0o600 })
      mails.push(mail)
      drop(mails.splice(0, Math.max(0, mails.length - KEPT_MAILS)))
    },
    clear: () => drop(mails.splice(0)),
  }
}

/** A file cut short by a crash is no mail, nor is one of an earlier version. */
function readReceived(file: string): Received[] {
  try {
    const mail = JSON.parse(readFileSync(file, 'utf8')) as Partial<Received>
    return typeof mail.raw === 'string' ? [mail as Received] : []
  } catch {
    return []
  }
}

async function parse({ id, receivedAt, to, raw }: Received): Promise<StoredMail> {
  const {
    from,
    subject = '',
    text = '',
    html = '',
    attachments,
    headers,
  } = await PostalMime.parse(Buffer.from(raw, 'base64'))
  return {
    id,
    receivedAt,
    to,
    subject,
    html: withPictures(html, attachments),
    from: from?.name ? `${from.name} <${from.address ?? ''}>` : (from?.address ?? ''),
    text: text.replaceAll('\r\n', '\n').trimEnd(),
    links: [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])],
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
  }
}

/** What came along with the mail stands in its HTML, as in a mail program: a browser knows no `cid:`. */
function withPictures(html: string, attachments: Email['attachments']): string {
  return html.replaceAll(/"cid:([\w.@-]+)"/g, (whole, cid: string) => {
    const found = attachments.find(({ contentId }) => contentId === `<${cid}>`)
    if (!found || typeof found.content === 'string') return whole
    const bytes = Buffer.from(new Uint8Array(found.content))
    return `"data:${found.mimeType};base64,${bytes.toString('base64')}"`
  })
}
