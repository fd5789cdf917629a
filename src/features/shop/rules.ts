/** Key of a message in locales; that each is there is tested. */
export type SettingMessage = `api.${string}` | `title.${string}`

/** A text of the settings: one of the shop's own messages, in every language, or the operator's words as they are. */
export type SettingText = { readonly message: SettingMessage } | { readonly text: string }

export interface FooterGroup {
  readonly title: SettingText
  readonly list: readonly { readonly title: SettingText; readonly link: string }[]
}

export interface PayType {
  readonly code: string
  readonly name: SettingText
  /** Path on this host. */
  readonly icon: string
}

export interface SocialLink {
  readonly code: string
  readonly name: string
  /** `{url}` stands for the shop's own address, percent-encoded. */
  readonly link: string
}

/** What an operator says about the shop itself; the footer and the ways to pay are made from it. */
export interface ShopSettings {
  readonly name: string
  readonly corporateName: string
  readonly address: string
  readonly copyright: string
  readonly footer: readonly FooterGroup[]
  readonly payTypes: readonly PayType[]
  readonly social: readonly SocialLink[]
}

const link = (message: SettingMessage, path: string) => ({ title: { message }, link: path })
const payType = (code: string, message: SettingMessage): PayType => ({
  code,
  name: { message },
  icon: `/pay/${code}.svg`,
})

/** A shop nobody has set up yet. */
export const DEFAULT_SETTINGS: ShopSettings = {
  name: 'Lukado',
  corporateName: 'Lukado Digital Goods',
  address: '1 Example Street, 00000 Sampletown',
  copyright: '© 2026 Lukado',
  footer: [
    {
      title: { message: 'api.footerShop' },
      list: [
        link('title.topUp', '/top-up'),
        link('title.cards', '/cards'),
        link('title.games', '/game'),
        link('title.product', '/product'),
        link('api.footerRecharge', '/mobile-recharge'),
        link('api.footerSales', '/sales'),
      ],
    },
    {
      title: { message: 'api.footerHelp' },
      list: [
        link('api.footerSupport', '/support'),
        link('api.footerCheck', '/check'),
        link('api.footerPayTypes', '/pay-type'),
        link('title.reviews', '/reviews'),
        link('api.footerFeedback', '/feedback'),
      ],
    },
    {
      title: { message: 'api.footerCompany' },
      list: [
        link('api.footerAbout', '/about-us'),
        link('api.footerNews', '/news'),
        link('api.footerPartnership', '/partnership'),
        link('api.footerContact', '/contact-us'),
      ],
    },
    {
      title: { message: 'api.footerLegal' },
      list: [
        link('api.footerTerms', '/article/terms-of-use'),
        link('api.footerSalesTerms', '/article/sales-terms'),
        link('api.footerPrivacy', '/article/privacy-policy'),
        link('api.footerLegalProvisions', '/article/legal-provisions'),
      ],
    },
  ],
  payTypes: [
    payType('card', 'api.payCard'),
    payType('ewallet', 'api.payEwallet'),
    payType('bank', 'api.payBank'),
    payType('qr', 'api.payQr'),
    payType('crypto', 'api.payCrypto'),
    payType('balance', 'api.payBalance'),
  ],
  social: [
    {
      code: 'facebook',
      name: 'Facebook',
      link: 'https://www.facebook.com/sharer/sharer.php?u={url}',
    },
    { code: 'x', name: 'X', link: 'https://x.com/intent/post?url={url}' },
    { code: 'whatsapp', name: 'WhatsApp', link: 'https://wa.me/?text={url}' },
    { code: 'telegram', name: 'Telegram', link: 'https://t.me/share/url?url={url}' },
    { code: 'line', name: 'LINE', link: 'https://social-plugins.line.me/lineit/share?url={url}' },
  ],
}
