import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { DEFAULT_SETTINGS, type SettingText, type ShopSettings } from './rules.ts'

/** Links to the shop's own pages are without language prefix. */
export interface FooterView {
  footer_link: { title: string; list: { title: string; link: string }[] }[]
  corporate_name: string
  address: string
  copyright: string
  social: { code: string; name: string; link: string }[]
}

export interface PayTypeView {
  code: string
  name: string
  icon: string
}

export function footerView(settings: ShopSettings, t: Translate, publicUrl: string): FooterView {
  return {
    footer_link: settings.footer.map((group) => ({
      title: settingText(group.title, t),
      list: group.list.map((item) => ({ title: settingText(item.title, t), link: item.link })),
    })),
    corporate_name: settings.corporateName,
    address: settings.address,
    copyright: settings.copyright,
    social: settings.social.map((social) => ({
      ...social,
      link: social.link.replaceAll('{url}', encodeURIComponent(publicUrl)),
    })),
  }
}

/** A way to pay that the shop offers, as far as its kind is told. */
interface OfferedMethod {
  readonly group: string
  readonly icon: string
}

/** Which kinds of the usual ones a method is of; crypto currencies are none that the program can take. */
const KIND_OF: Readonly<Record<string, (method: OfferedMethod) => boolean>> = {
  card: ({ icon }) => icon === 'card',
  ewallet: ({ icon }) => icon === 'wallet' || icon === 'phone',
  bank: ({ group }) => group === 'bank',
  qr: ({ icon }) => icon === 'qr',
  balance: ({ group }) => group === 'balance',
}

/** The kinds of ways to pay that there are; or the owner's own words, which are shown as they are. */
export function payTypeViews(
  settings: ShopSettings,
  offered: readonly OfferedMethod[],
  t: Translate,
): PayTypeView[] {
  const shown =
    settings.payTypes === DEFAULT_SETTINGS.payTypes
      ? settings.payTypes.filter(({ code }) => offered.some((method) => KIND_OF[code]?.(method)))
      : settings.payTypes
  return shown.map((type) => ({
    code: type.code,
    name: settingText(type.name, t),
    icon: type.icon,
  }))
}

function settingText(text: SettingText, t: Translate): string {
  return 'message' in text ? t(text.message as MessageKey) : text.text
}
