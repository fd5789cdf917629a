import type { PageContext } from '../page.ts'
import { shopDomain } from './article.ts'
import type { ContactsData } from './contacts.tsx'

/** Where shoppers write to: the setting, and until there is one the usual address at the shop's domain. */
export function supportAddress({
  shop,
  publicUrl,
}: Pick<PageContext, 'shop' | 'publicUrl'>): string {
  return shop.settings.supportEmail ?? `support@${shopDomain(publicUrl)}`
}

export function contactsOf({ shop, publicUrl, timeZone, language, t }: PageContext): ContactsData {
  const hours = shop.settings.supportHours
  return {
    mail: supportAddress({ shop, publicUrl }),
    hours: hours && t('home.factSupport', { ...hours, zone: zoneName(language.intl, timeZone) }),
  }
}

/** Who runs the shop; empty where the operator has not said. */
export interface Company extends ContactsData {
  readonly name: string
  readonly address: string
}

export function companyOf(page: PageContext): Company {
  const { corporateName, address } = page.shop.settings
  return { ...contactsOf(page), name: corporateName, address }
}

/** The zone as people say it: "Coordinated Universal Time". */
function zoneName(locale: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(0)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timeZone
}
