import { useT } from '../i18n.tsx'
import type { HomeData } from './load.ts'

export function Page({ data }: { readonly data: HomeData }) {
  const t = useT()
  return <h1>{t('home.claim')} {data.itemCount}</h1>
}
