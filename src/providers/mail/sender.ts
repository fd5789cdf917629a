/** A picture that goes along with a mail; its HTML shows it as `cid:<cid>`, and nothing is fetched from anywhere. */
export interface MailPicture {
  readonly cid: string
  /** PNG, which every mail program shows. */
  readonly content: Uint8Array
}

/** A mail ready to go. */
export interface OutgoingMessage {
  /** The same at every try, so that a mail program shows a mail sent twice once: "<id@host>". */
  readonly messageId: string
  readonly to: string
  readonly fromName: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly pictures?: readonly MailPicture[]
  /** BCP 47 tag. */
  readonly language: string
}

/** `refused`: the server says for good that there is no such recipient. Sending again would change nothing. */
export type Delivery = 'sent' | 'refused'

/** A way to send mail. */
export interface MailSender {
  /** Throws when the mail could not be handed over now; the error tells neither the recipient nor the text. */
  readonly send: (message: OutgoingMessage) => Promise<Delivery>
  readonly close: () => void
}
