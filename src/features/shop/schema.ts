import { z } from 'zod'
import { DEFAULT_SETTINGS, type SettingText, type ShopSettings } from './rules.ts'

const SHORT = 200

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

/** The row `shop` of the table `setting`: what is left out keeps its default. Texts are the operator's own. */
export const shopSettings = z
  .strictObject({
    name: z.string().trim().min(1).max(SHORT),
    corporate_name: z.string().trim().max(SHORT),
    address: z.string().trim().max(SHORT),
    copyright: z.string().trim().max(SHORT),
    footer: z
      .array(
        z.strictObject({
          title: text,
          list: z.array(z.strictObject({ title: text, link: ownPath })).max(20),
        }),
      )
      .max(8),
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
      footer: given.footer ?? DEFAULT_SETTINGS.footer,
      payTypes: given.pay_types ?? DEFAULT_SETTINGS.payTypes,
      social: given.social ?? DEFAULT_SETTINGS.social,
    }),
  )
