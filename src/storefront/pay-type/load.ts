import { payTypeViews } from '#features/shop/views.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Crumb } from '../goods/crumb.ts'
import { breadcrumbNode, graphOf } from '../goods/structured-data.ts'
import type { PageContext, PageMeta } from '../page.ts'

export interface PayTypeData {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly note: { readonly lead: string; readonly text: string }
  readonly types: readonly { readonly code: string; readonly name: string; readonly icon: string; readonly text: string }[]
  readonly more: string
}

const ABOUT: Readonly<Record<string, MessageKey>> = {
  card: 'later.payCard',
  ewallet: 'later.payEwallet',
  bank: 'later.payBank',
  qr: 'later.payQr',
  crypto: 'later.payCrypto',
  balance: 'later.payBalance',
}

export function load({ shop, t }: PageContext): PayTypeData {
  const title = t('api.footerPayTypes')
  return {
    title,
    crumbs: [{ text: title }],
    note: { lead: t('later.payNoteLead'), text: t('later.payNote') },
    types: payTypeViews(shop.settings, t).map((type) => {
      const about = ABOUT[type.code]
      return { ...type, text: about === undefined ? '' : t(about) }
    }),
    more: t('later.payMore'),
  }
}

export function meta(data: PayTypeData, page: PageContext): PageMeta {
  return { title: data.title, description: data.note.text, structuredData: graphOf(breadcrumbNode(page, data.crumbs)) }
}
