import { localPath } from '../local-path.ts'
import type { PageContext } from '../page.ts'
import type { Crumb } from './crumb.ts'

type Node = Readonly<Record<string, unknown>>

/** schema.org nodes of one page. */
export function graphOf(...nodes: readonly Node[]): Node {
  return { '@context': 'https://schema.org', '@graph': nodes }
}

/** The way from the home page to this one. */
export function breadcrumbNode(page: PageContext, crumbs: readonly Crumb[]): Node {
  const steps: readonly Crumb[] = [{ text: page.t('shell.home'), path: '/' }, ...crumbs]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: step.text,
      ...(step.path === undefined ? {} : { item: fullAddress(page, step.path) }),
    })),
  }
}

/** The goods a page lists, by their addresses. `offset` is how many come before on earlier pages. */
export function itemListNode(page: PageContext, paths: readonly string[], offset = 0): Node {
  return {
    '@type': 'ItemList',
    itemListElement: paths.map((path, index) => ({
      '@type': 'ListItem',
      position: offset + index + 1,
      url: fullAddress(page, path),
    })),
  }
}

/** A path of this shop as the rest of the world writes it, in the page's language. */
export function fullAddress(
  { publicUrl, language }: Pick<PageContext, 'publicUrl' | 'language'>,
  path: string,
): string {
  return publicUrl + localPath(language.prefix, path)
}
