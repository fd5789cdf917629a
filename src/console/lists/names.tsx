import { ENTRY_LISTS, type EntryList } from '#features/goods/editing/rules.ts'
import { Views } from '../kit/views.tsx'
import { useT, type ConsoleWords } from '../words.tsx'

type Words = ConsoleWords['t']

/** What a list of the catalogue is called. */
export function listName(t: Words, list: EntryList): string {
  if (list === 'categories') return t('console.product.field.categories')
  if (list === 'platforms') return t('console.product.field.platforms')
  return t(`console.lists.${list}`)
}

export const listPath = (list: EntryList): string => `/products/lists/${list}`

/** The parts of the catalogue side by side: products, and what they are put in order by. */
export function CatalogueTabs({ current }: { readonly current: EntryList | 'products' }) {
  const t = useT()
  return (
    <Views
      label={t('console.lists.nav')}
      views={[
        { name: 'products' as const, text: t('console.products.nav') },
        ...ENTRY_LISTS.map((name) => ({ name, text: listName(t, name) })),
      ]}
      current={current}
      address={(name) => (name === 'products' ? '/products' : listPath(name))}
    />
  )
}
