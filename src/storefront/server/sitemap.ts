import { contentIn } from '#features/goods/browse/queries.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { productPath, type Category } from '#features/goods/catalogue/rules.ts'
import { operatorsByCountry } from '#features/goods/recharge/queries.ts'
import { findLanguage, LANGUAGES, type Language } from '#kernel/language.ts'
import {
  bodyIn,
  encodeBody,
  type ContentEncoding,
  type EncodedBody,
} from '#platform/http/encoding.ts'
import { localPath } from '../local-path.ts'
import { ROUTES } from '../routes.ts'
import type { PageAnswer } from './handler.ts'

/** An address search engines should know, without language prefix. */
export interface SitePath {
  readonly path: string
  /** Day of its last change, where it is known: "2026-11-18". */
  readonly changed?: string
}

export interface SitemapOptions {
  readonly snapshot: () => ShopSnapshot
  /** Origin of the shop's public address. */
  readonly publicUrl: string
}

/** Most addresses of one file (sitemaps.org). */
const FILE_MAX = 50_000
const FILE_NAME = /^\/sitemap-([a-z]{2}(?:-[a-z]{2})?)-([1-9]\d{0,3})\.xml$/
/** Lists without a page of their own in the table of routes. */
const LISTS = ['/mobile-recharge/data-packets']
const STATIC_PATHS = [
  ...ROUTES.filter((route) => 'inSitemap' in route).map(({ path }) =>
    path.replace(/\/:\w+\?$/, ''),
  ),
  ...LISTS,
]

/**
 * `/robots.txt`, `/sitemap.xml` (an index) and its parts, one or more for each language; null for any other path. Each is
 * made when first asked for and kept as long as the snapshot.
 */
export function createSitemap({
  snapshot,
  publicUrl,
}: SitemapOptions): (path: string, encoding: ContentEncoding) => Promise<PageAnswer | null> {
  const made = new WeakMap<
    ShopSnapshot,
    { readonly paths: readonly SitePath[]; readonly files: Map<string, Promise<EncodedBody>> }
  >()

  return async (path, encoding) => {
    if (path === '/robots.txt') return answerText('text/plain', robots(publicUrl))
    if (path !== '/sitemap.xml' && !FILE_NAME.test(path)) return null
    const shop = snapshot()
    let known = made.get(shop)
    if (!known) made.set(shop, (known = { paths: sitePaths(shop), files: new Map() }))
    let file = known.files.get(path)
    if (!file) {
      const text =
        path === '/sitemap.xml'
          ? sitemapIndex(known.paths.length, publicUrl)
          : sitemapPart(path, known.paths, publicUrl)
      if (text === null) return null
      known.files.set(path, (file = encodeBody(text)))
    }
    return answerText('application/xml', bodyIn(await file, encoding), encoding)
  }
}

/** Every canonical address of the shop, each once. Pages kept out of search engines and filtered lists are not among them. */
export function sitePaths(shop: Pick<ShopSnapshot, 'catalogue' | 'contents'>): SitePath[] {
  const { catalogue } = shop
  const content = contentIn(shop, 'en')
  const paths: SitePath[] = [
    ...STATIC_PATHS.map((path) => ({ path })),
    ...catalogue.categories.flatMap(categoryPaths),
    ...catalogue.games.map(({ code }) => ({ path: `/game/${code}` })),
    ...catalogue.products.map((product) => ({ path: productPath(product) })),
    ...[...operatorsByCountry(shop).keys()].map((country) => ({
      path: `/mobile-recharge/airtime?country=${country}`,
    })),
    ...content.categories
      .filter(({ kind }) => kind === 'news')
      .map(({ code }) => ({ path: `/news-category/${code}` })),
    ...content.news.map(({ code, publishedAt }) => ({
      path: `/news/${code}`,
      changed: publishedAt.toISOString().slice(0, 10),
    })),
    ...content.faq.map(({ code }) => ({ path: `/support/details?code=${code}` })),
  ]
  // The airtime list without a country is the hub itself.
  return [
    ...new Map(
      paths
        .filter(({ path }) => path !== '/mobile-recharge/airtime')
        .map((entry) => [entry.path, entry]),
    ).values(),
  ]
}

function categoryPaths(category: Category): SitePath[] {
  return [{ path: category.path }, ...category.children.flatMap(categoryPaths)]
}

function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /console\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

function sitemapIndex(count: number, publicUrl: string): string {
  const parts = Math.max(1, Math.ceil(count / FILE_MAX))
  const files = LANGUAGES.flatMap(({ code }) =>
    Array.from({ length: parts }, (_, index) => `/sitemap-${code}-${index + 1}.xml`),
  )
  return xml(
    'sitemapindex',
    files.map((file) => `<sitemap><loc>${escapeXml(publicUrl + file)}</loc></sitemap>`),
  )
}

/** Null when the file is not in the index. */
function sitemapPart(file: string, paths: readonly SitePath[], publicUrl: string): string | null {
  const [, code = '', number = ''] = FILE_NAME.exec(file) ?? []
  const language = findLanguage(code)
  const start = (Number(number) - 1) * FILE_MAX
  if (!language || (start > 0 && start >= paths.length)) return null
  return xml(
    'urlset',
    paths.slice(start, start + FILE_MAX).map((entry) => urlEntry(entry, language, publicUrl)),
  )
}

function urlEntry({ path, changed }: SitePath, language: Language, publicUrl: string): string {
  const lastmod = changed === undefined ? '' : `<lastmod>${changed}</lastmod>`
  return `<url><loc>${escapeXml(publicUrl + localPath(language.prefix, path))}</loc>${lastmod}</url>`
}

function xml(root: string, entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&apos;')
    .replaceAll('"', '&quot;')
}

function answerText(
  type: string,
  body: string | Buffer,
  encoding: ContentEncoding = 'identity',
): PageAnswer {
  return {
    status: 200,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=3600',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
    body,
  }
}
