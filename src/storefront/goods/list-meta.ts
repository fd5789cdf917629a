import { textIn } from '#features/goods/catalogue/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import type { PageContext, PageMeta } from '../page.ts'
import { stepTo, type Crumb } from './crumb.ts'
import type { ListFamily, ListFilter } from './list-address.ts'
import type { ListData } from './list-data.ts'
import { LIST_PAGE_SIZE } from './list-filter.ts'
import { breadcrumbNode, graphOf, itemListNode } from './structured-data.ts'

/** Title and way of a list: of its one category or platform, else of its hub. */
export function listHead(
  page: PageContext,
  family: ListFamily,
  filter: ListFilter,
  hubTitle: string,
): Pick<ListData, 'title' | 'crumbs'> {
  const { shop, language } = page
  const category =
    filter.categories.length === 1
      ? shop.catalogue.categoryByCode.get(filter.categories[0] ?? '')
      : undefined
  const platform = isPlatformPage(family, filter)
    ? shop.catalogue.platforms.find(({ code }) => code === filter.platforms[0])
    : undefined
  const part = category ?? platform
  if (!part) return { title: hubTitle, crumbs: [{ text: hubTitle }] }
  const name = textIn(part.name, language.code)
  return {
    title: category ? name : page.t('list.titlePlatform', { platform: name, whole: hubTitle }),
    crumbs: [{ text: hubTitle, path: family.hub }, stepTo(part.name, language)],
  }
}

/** Whether the list is that of one platform rather than a filtered hub. */
export function isPlatformPage(family: ListFamily, filter: ListFilter): boolean {
  return (
    family.platformPath !== null && filter.categories.length === 0 && filter.platforms.length === 1
  )
}

export function listMeta(data: ListData, page: PageContext): PageMeta {
  const { t, language } = page
  const hub = data.crumbs.length > 1 ? data.crumbs[0] : undefined
  const isCategory = hub !== undefined && data.title === data.crumbs.at(-1)?.text
  const whole = isCategory ? t('list.titlePart', { part: data.title, whole: hub.text }) : data.title
  const { number } = data
  const first = data.tiles[0]
  return {
    title:
      number > 1
        ? t('list.titlePage', { title: whole, page: formatCount(language.code, number) })
        : whole,
    description: t('list.description', { title: whole, intro: data.intro }),
    canonical: data.canonical,
    ...(data.tiles.length === 0 ? { noIndex: true } : {}),
    ...(first ? { preload: [{ href: first.image }] } : {}),
    ...(data.previous === null ? {} : { previous: data.previous }),
    ...(data.next === null ? {} : { next: data.next }),
    structuredData: graphOf(
      breadcrumbNode(page, data.crumbs as readonly Crumb[]),
      itemListNode(
        page,
        data.tiles.map((tile) => tile.path),
        (number - 1) * LIST_PAGE_SIZE,
      ),
    ),
  }
}
