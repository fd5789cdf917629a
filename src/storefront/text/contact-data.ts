import type { PageContext } from '../page.ts'
import { shopDomain } from './article.ts'
import type { ContactsData } from './contacts.tsx'

export function contactsOf({ publicUrl, timeZone, language }: PageContext): ContactsData {
  return { mail: `support@${shopDomain(publicUrl)}`, zone: zoneName(language.intl, timeZone) }
}

/** The zone as people say it: "Coordinated Universal Time". */
function zoneName(locale: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(0)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}
