/** A text message costs money: so many codes an account and a network a day, and a number an hour. */
export const ACCOUNT_SHARE = { name: 'phone code by account', per: 86_400, burst: 5 } as const
export const NUMBER_SHARE = { name: 'phone code by number', per: 3_600, burst: 3 } as const
export const NETWORK_SHARE = { name: 'phone code by network', per: 86_400, burst: 20 } as const

/** Seconds a code sent to a phone is good for; a message that comes later would only confuse. */
export const CODE_LIFE_SECONDS = 600
/** Days after which nothing tells any more that a message was sent. */
export const SMS_KEPT_DAYS = 30

/** Whether this shop can send text messages, or show them in the demo's mailbox; without either no number can be added. */
export function isSmsPossible(config: {
  readonly twilio: unknown
  readonly sandboxPorts: Readonly<Record<string, number>>
}): boolean {
  return config.twilio !== undefined || config.sandboxPorts['smtp'] !== undefined
}

/** As the database takes it. */
export function isMobile(text: string): boolean {
  return /^\+[1-9][0-9]{6,14}$/.test(text)
}

/** Browsers fill in a code by themselves when the last line names the page's host. */
export function withAutofill(text: string, code: string, publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' ? `${text}\n\n@${hostname} #${code}` : text
}
