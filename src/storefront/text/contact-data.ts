import type { PageContext } from '../page.ts'
import { shopDomain } from './article.ts'
import type { ContactsData } from './contacts.tsx'

export function contactsOf({ shop, publicUrl, timeZone, language, t }: PageContext): ContactsData {
  const hours = shop.settings.supportHours
  return {
    mail: `support@${shopDomain(publicUrl)}`,
    hours: hours && t('home.factSupport', { ...hours, zone: zoneName(language.intl, timeZone) }),
  }
}

/** The zone as people say it: "Coordinated Universal Time". */
function zoneName(locale: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(0)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}
