import type { ShopSnapshot } from '#features/browse/snapshot.ts'
import { textIn } from '#features/catalogue/rules.ts'
import type { Currency } from '#features/currency/rules.ts'
import type { Language } from '#kernel/language.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { ShellData } from '../page.ts'

export interface ShellInput {
  readonly shop: ShopSnapshot
  readonly language: Language
  readonly currency: Currency
  readonly t: Translate
}

/** Header and footer of one language and currency. */
export function loadShell({ shop, language, currency }: ShellInput): ShellData {
  return {
    language: language.code,
    currency: { code: currency.code, symbol: currency.symbol },
    navigation: shop.catalogue.categories.map((category) => ({
      title: textIn(category.name, language.code),
      path: category.path,
      items: category.children.map((child) => ({ title: textIn(child.name, language.code), path: child.path })),
    })),
    footer: { payTypes: [], groups: [], social: [], company: '', address: '', copyright: '' },
  }
}
