import { MAIL_KINDS } from '#features/people/mail/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'

/** What people read of each job that commands leave. A test holds whoever adds one to naming it here. */
export const JOB_NAMES: Readonly<Record<string, MessageKey>> = {
  send_mail: 'audit.job.send_mail',
  mail_reset_code: 'audit.job.mail_reset_code',
  sign_in_paused: 'audit.job.sign_in_paused',
  send_sms: 'audit.job.send_sms',
  submit_refund: 'audit.job.submit_refund',
}

/** The name of a job with what support calls it; one of another release has that alone. */
export function jobName(t: Translate, task: string): string {
  const key = Object.hasOwn(JOB_NAMES, task) ? JOB_NAMES[task] : undefined
  return key === undefined ? task : `${t(key)} (${task})`
}

/** A mail by what its reader reads first, without what it is about, and its kind; one of another release has that alone. */
export function mailName(t: Translate, kind: string, shop: string): string {
  const known = MAIL_KINDS.find((one) => one === kind)
  if (known === undefined) return kind
  const subject = t(`mail.${known}.subject`, { shop, order: '', name: '', state: 'other' })
  return `${subject.replaceAll(/ {2,}/g, ' ').trim()} (${kind})`
}
