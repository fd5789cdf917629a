import type { PageContext, PageMeta } from '../page.ts'

export interface HomeData {
  readonly itemCount: number
}

export function load({ shop }: PageContext): HomeData {
  return { itemCount: shop.catalogue.itemCount }
}

export function meta(_: HomeData, { t }: PageContext): PageMeta {
  return { title: t('title.home'), description: t('home.claim') }
}
