import type { ListData } from '../goods/list-data.ts'
import { ListView } from '../goods/list-view.tsx'

export function Page({ data }: { readonly data: ListData }) {
  return <ListView data={data} />
}
