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

/** The name of what the doctor looks at; what another release looked at keeps the one that had. */
export function checkName(t: Translate, subject: string): string {
  return Object.hasOwn(NAMES, subject) ? t(NAMES[subject as CheckSubject]) : subject
}
