import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { DEFAULT_SETTINGS, type SettingText, type ShopSettings } from './rules.ts'

const SHORT = 200
const MAIL_SENDER_MAX = 70
const MAIL_SIGNATURE_MAX = 500

const text = z
  .string()
  .trim()
  .min(1)
  .max(SHORT)
  .transform((value): SettingText => ({ text: value }))
const ownPath = z
  .string()
  .max(SHORT)
  .regex(/^\/(?![/\\])[^\s\\]*$/, 'must be a path of this shop, like /about-us')
const code = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)

/** In the shop's own time zone. */
const hour = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 09:00')

/** The row `shop` of the table `setting`: what is left out keeps its default. Texts are the operator's own. */
export const shopSettings = z
  .strictObject({
    name: z.string().trim().min(1).max(SHORT),
    corporate_name: z.string().trim().max(SHORT),
    address: z.string().trim().max(SHORT),
    copyright: z.string().trim().max(SHORT),
    support_email: z.email().max(SHORT),
    security_contact: z.union([z.email(), z.url({ protocol: /^https$/ })]).pipe(
      z
        .string()
        .max(SHORT)
        .regex(/^[\x21-\x7e]+$/),
    ),
    support_hours: z.strictObject({ from: hour, to: hour }),
    mail_sender: z
      .string()
      .trim()
      .min(1)
      .max(MAIL_SENDER_MAX)
      .regex(/^[^\p{Cc}\u2028\u2029]+$/u),
    mail_signature: z.string().trim().max(MAIL_SIGNATURE_MAX),
    footer: z
      .array(
        z.strictObject({
          title: text,
          list: z.array(z.strictObject({ title: text, link: ownPath })).max(20),
        }),
      )
      .max(8),
    home_footer: z.boolean(),
    pay_types: z.array(z.strictObject({ code, name: text, icon: ownPath })).max(30),
    social: z
      .array(
        z.strictObject({
          code,
          name: z.string().min(1).max(SHORT),
          link: z.url({ protocol: /^https$/ }).max(SHORT),
        }),
      )
      .max(12),
  })
  .partial()
  .transform(
    (given): ShopSettings => ({
      name: given.name ?? DEFAULT_SETTINGS.name,
      corporateName: given.corporate_name ?? DEFAULT_SETTINGS.corporateName,
      address: given.address ?? DEFAULT_SETTINGS.address,
      copyright: given.copyright ?? DEFAULT_SETTINGS.copyright,
      supportEmail: given.support_email ?? DEFAULT_SETTINGS.supportEmail,
      securityContact: given.security_contact ?? DEFAULT_SETTINGS.securityContact,
      supportHours: given.support_hours ?? DEFAULT_SETTINGS.supportHours,
      mailSender: given.mail_sender ?? DEFAULT_SETTINGS.mailSender,
      mailSignature: given.mail_signature ?? DEFAULT_SETTINGS.mailSignature,
      footer: given.footer ?? DEFAULT_SETTINGS.footer,
      homeFooter: given.home_footer ?? DEFAULT_SETTINGS.homeFooter,
      payTypes: given.pay_types ?? DEFAULT_SETTINGS.payTypes,
      social: given.social ?? DEFAULT_SETTINGS.social,
    }),
  )

export const shopSetting: Setting<ShopSettings> = {
  key: 'shop',
  summary: 'What the shop is called, who stands behind it and where, and its footer.',
  schema: shopSettings,
  fallback: DEFAULT_SETTINGS,
  example: {
    name: 'Corner Shop',
    corporate_name: 'Corner Shop Ltd',
    address: '12 High Street, Leeds LS1 4AG, United Kingdom',
    support_email: 'help@corner.example',
    support_hours: { from: '09:00', to: '18:00' },
    mail_sender: 'Corner Shop orders',
    mail_signature: 'Mara and Bao\nCorner Shop',
  },
}

export const sellIncompleteSetting: Setting<boolean> = {
  key: 'sell_incomplete',
  summary: 'Whether the shop sells although something that a shop must have is missing.',
  schema: z.boolean(),
  fallback: false,
  example: false,
}

export const shopCurrencySetting: Setting<string> = {
  key: 'shop_currency',
  summary:
    'Currency, one of the shop that has a rate, in which limits are written and sums over several currencies are told; amounts keep their own.',
  schema: z.string().regex(/^[A-Z]{3}$/, 'must be the code of a currency, like EUR'),
  fallback: 'USD',
  isTold: true,
  example: 'USD',
}
