import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { Crumb } from './crumb.ts'

/** Where the page stands in the shop; the home page comes first by itself. */
export function Crumbs({ items }: { readonly items: readonly Crumb[] }) {
  const t = useT()
  const href = useHref()
  const home = { text: t('shell.home'), href: href('/') }
  return (
    <Breadcrumb
      label={t('goods.breadcrumb')}
      items={[
        home,
        ...items.map(({ text, path, lang }) => ({
          text,
          lang,
          href: path === undefined ? undefined : href(path),
        })),
      ]}
    />
  )
}
