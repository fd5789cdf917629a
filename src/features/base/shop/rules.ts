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
  /** Where shoppers write; null while nobody has said. */
  readonly supportEmail: string | null
  /** Whom to tell of a weakness: an e-mail address or a page under https; null while nobody has said. */
  readonly securityContact: string | null
  /** In the shop's own time zone, each day; null while nobody has said. */
  readonly supportHours: { readonly from: string; readonly to: string } | null
  /** Who mails are from; null: the shop's name. */
  readonly mailSender: string | null
  /** The operator's own words at the end of every mail, in lines; empty for none. */
  readonly mailSignature: string
  readonly footer: readonly FooterGroup[]
  /** Whether the home page has the footer, too. */
  readonly homeFooter: boolean
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
  name: 'Shop',
  corporateName: '',
  address: '',
  copyright: '',
  supportEmail: null,
  securityContact: null,
  supportHours: null,
  mailSender: null,
  mailSignature: '',
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
  homeFooter: true,
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

/** What the demo says of itself, as the row `shop` has it; a real shop has nothing of it. */
export const DEMO_SHOP = {
  name: 'Lukado',
  corporate_name: 'Lukado Digital Goods',
  address: '1 Example Street, 00000 Sampletown',
  copyright: '© 2026 Lukado',
  support_email: 'support@lukado.example',
  support_hours: { from: '09:00', to: '23:00' },
} as const

/** Texts that a buyer agrees to, or that the law wants: by the code of their article. */
export const REQUIRED_TEXTS = [
  'sales-terms',
  'terms-of-use',
  'privacy-policy',
  'legal-provisions',
] as const

type RequiredText = (typeof REQUIRED_TEXTS)[number]

/** What a shop must have before it sells, and has not: settings by their name, texts by their code. */
export type Missing =
  | 'shop.name'
  | 'shop.corporate_name'
  | 'shop.address'
  | 'shop.support_email'
  | RequiredText
  | `${RequiredText} of its own instead of ${string}`

/** A text that buyers agree to, or may rely on, as the shop has it. */
export interface TextState {
  /** In English at least. */
  readonly isThere: boolean
  /** Languages in which it is word for word the sample that the demo ships: nobody has written that for this shop. */
  readonly samples: readonly string[]
}

export function missingOf(
  settings: ShopSettings,
  textOf: (code: RequiredText) => TextState,
): readonly Missing[] {
  const { name, corporateName, address, supportEmail } = settings
  return [
    ...(name === DEFAULT_SETTINGS.name ? (['shop.name'] as const) : []),
    ...(corporateName === '' ? (['shop.corporate_name'] as const) : []),
    ...(address === '' ? (['shop.address'] as const) : []),
    ...(supportEmail === null ? (['shop.support_email'] as const) : []),
    ...REQUIRED_TEXTS.flatMap((code): readonly Missing[] => {
      const { isThere, samples } = textOf(code)
      if (!isThere) return [code]
      if (samples.length === 0) return []
      return [`${code} of its own instead of the demo's sample (${samples.join(', ')})`]
    }),
  ]
}
