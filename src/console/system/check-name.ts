import type { CheckSubject } from '#features/office/system/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'

const NAMES: Readonly<Record<CheckSubject, MessageKey>> = {
  shop: 'console.check.shop',
  runtime: 'console.check.runtime',
  'data directory': 'console.check.data_directory',
  disk: 'console.check.disk',
  database: 'console.check.database',
  roles: 'console.check.roles',
  clock: 'console.check.clock',
  backups: 'console.check.backups',
  mail: 'console.check.mail',
  payments: 'console.check.payments',
  'exchange rates': 'console.check.exchange_rates',
  screening: 'console.check.screening',
  'sign-in': 'console.check.sign_in',
  'text messages': 'console.check.text_messages',
  pictures: 'console.check.pictures',
  keys: 'console.check.keys',
  'secret key': 'console.check.secret_key',
  settings: 'console.check.settings',
  background: 'console.check.background',
  alerts: 'console.check.alerts',
  orders: 'console.check.orders',
  audit: 'console.check.audit',
}

/** What to do first about something that was found; what exactly, the sentence beside it says. */
const ADVICE: Readonly<Record<CheckSubject, MessageKey>> = {
  shop: 'console.advice.shop',
  runtime: 'console.advice.runtime',
  'data directory': 'console.advice.data_directory',
  disk: 'console.advice.disk',
  database: 'console.advice.database',
  roles: 'console.advice.roles',
  clock: 'console.advice.clock',
  backups: 'console.advice.backups',
  mail: 'console.advice.mail',
  payments: 'console.advice.payments',
  'exchange rates': 'console.advice.exchange_rates',
  screening: 'console.advice.screening',
  'sign-in': 'console.advice.sign_in',
  'text messages': 'console.advice.text_messages',
  pictures: 'console.advice.pictures',
  keys: 'console.advice.keys',
  'secret key': 'console.advice.secret_key',
  settings: 'console.advice.settings',
  background: 'console.advice.background',
  alerts: 'console.advice.alerts',
  orders: 'console.advice.orders',
  audit: 'console.advice.audit',
}

/** The name of what the doctor looks at; what another release looked at keeps the one that had. */
export function checkName(t: Translate, subject: string): string {
  return Object.hasOwn(NAMES, subject) ? t(NAMES[subject as CheckSubject]) : subject
}

/** What to do about what the doctor found of it; nothing of what another release looked at. */
export function checkAdvice(t: Translate, subject: string): string | null {
  return Object.hasOwn(ADVICE, subject) ? t(ADVICE[subject as CheckSubject]) : null
}
