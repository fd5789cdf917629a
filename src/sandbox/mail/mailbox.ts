import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

/** A mail as it was received. */
export interface KeptMail {
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
  readonly list: (to?: string) => readonly KeptMail[]
  readonly find: (id: string) => KeptMail | undefined
  readonly add: (raw: Uint8Array, recipients: readonly string[]) => Promise<KeptMail>
  readonly clear: () => Promise<void>
}

export const KEPT_MAILS = 500
const FILE = /^\d{14}-\d{6}\.json$/

/** The last mails, in memory and as a file each, so that a restart finds them again. */
export function openMailbox(folder: string, now: () => Date = () => new Date()): Mailbox {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mails: KeptMail[] = readdirSync(folder).filter((name) => FILE.test(name)).sort().slice(-KEPT_MAILS).flatMap((name) => readKept(join(folder, name)))
  let serial = 0
  const drop = (dropped: readonly KeptMail[]) => Promise.all(dropped.map(({ id }) => rm(join(folder, `${id}.json`), { force: true })))
  return {
    list(to) {
      const wanted = to?.toLowerCase() ?? ''
      return mails.filter((mail) => wanted === '' || mail.to.some((address) => address.toLowerCase().includes(wanted))).reverse()
    },
    find: (id) => mails.find((mail) => mail.id === id),
    async add(raw, recipients) {
      const at = now()
      const id = `${String(at.getTime()).padStart(14, '0')}-${String((serial = (serial + 1) % 1_000_000)).padStart(6, '0')}`
      const mail = await parse(raw, recipients, id, at)
      await writeFile(join(folder, `${id}.json`), JSON.stringify(mail), { mode: 0o600 })
      mails.push(mail)
      await drop(mails.splice(0, Math.max(0, mails.length - KEPT_MAILS)))
      return mail
    },
    clear: async () => void (await drop(mails.splice(0))),
  }
}

/** A file cut short by a crash is no mail. */
function readKept(file: string): KeptMail[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8')) as KeptMail]
  } catch {
    return []
  }
}

async function parse(raw: Uint8Array, recipients: readonly string[], id: string, at: Date): Promise<KeptMail> {
  const { from, subject = '', text = '', html = '', headers } = await PostalMime.parse(raw)
  return {
    id, receivedAt: at.toISOString(), to: recipients, subject, html,
    from: from?.name ? `${from.name} <${from.address ?? ''}>` : (from?.address ?? ''),
    text: text.replaceAll('\r\n', '\n').trimEnd(),
    links: [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])],
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
  }
}
