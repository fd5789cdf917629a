import type { PageContext, PageMeta } from '../page.ts'

export interface NotFoundData {
  readonly itemCount: number
}

export function load({ shop }: PageContext): NotFoundData {
  return { itemCount: shop.catalogue.itemCount }
}

export function meta(_: NotFoundData, { t }: PageContext): PageMeta {
  return { title: t('title.notFound'), description: t('title.notFound') }
}
