import { Pagination } from '#ui/pagination.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { PagingData } from './paging.ts'

export function Paging({ data }: { readonly data: PagingData }) {
  const t = useT()
  const href = useHref()
  if (data.pages.length === 0) return null
  return (
    <Pagination
      label={t('list.pages')}
      pages={data.pages.map(
        (page) =>
          page && {
            text: page.text,
            label: page.label,
            href: href(page.path),
            current: page.current,
          },
      )}
      previous={{
        text: t('list.previous'),
        href: data.previous === null ? undefined : href(data.previous),
      }}
      next={{ text: t('list.next'), href: data.next === null ? undefined : href(data.next) }}
    />
  )
}
