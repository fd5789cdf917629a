import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { SettingText, ShopSettings } from './rules.ts'

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

export function payTypeViews(settings: ShopSettings, t: Translate): PayTypeView[] {
  return settings.payTypes.map((type) => ({
    code: type.code,
    name: settingText(type.name, t),
    icon: type.icon,
  }))
}

function settingText(text: SettingText, t: Translate): string {
  return 'message' in text ? t(text.message as MessageKey) : text.text
}
