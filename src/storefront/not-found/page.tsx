import { useT } from '../i18n.tsx'
import type { NotFoundData } from './load.ts'

export function Page({ data }: { readonly data: NotFoundData }) {
  const t = useT()
  return <h1>{t('title.notFound')} {data.itemCount}</h1>
}
