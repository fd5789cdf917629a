import { useEffect, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { State } from '../kit/state.tsx'
import { Views } from '../kit/views.tsx'
import { useEdits, type Edits } from '../products/edits.ts'
import { SavedNote, type Saved } from '../products/saved-note.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { EditorProvider } from './editor.tsx'
import { Facts } from './facts.tsx'
import { Fields } from './fields.tsx'
import { History } from './history.tsx'
import { Items } from './items.tsx'
import type { ProductData } from './load.ts'
import { Pictures } from './pictures.tsx'
import { Save } from './save.tsx'
import { Texts } from './texts.tsx'
import { useSaving } from './use-saving.ts'

/** One product with its brand and its items: all of it edited on its views, and saved as one change. */
export function Page({ data }: { readonly data: ProductData }) {
  return <ProductEditor key={data.code} data={data} />
}

function ProductEditor({ data }: { readonly data: ProductData }) {
  const edits = useEdits()
  const saving = useSaving(edits)
  const [saved, setSaved] = useState<Saved | null>(null)
  useAskBeforeLeaving(edits)
  return (
    <EditorProvider value={{ data, edits, saving }}>
      <Head data={data} />
      {saved && <SavedNote saved={saved} forget={() => setSaved(null)} />}
      {data.view === 'facts' && <Facts />}
      {data.view === 'items' && <Items />}
      {data.view === 'texts' && <Texts />}
      {data.view === 'fields' && <Fields />}
      {data.view === 'pictures' && <Pictures />}
      {data.history && <History history={data.history} />}
      <Save done={(change, rows) => setSaved({ change, rows })} />
    </EditorProvider>
  )
}

/** Nothing typed is lost without a word. */
function useAskBeforeLeaving({ all }: Edits) {
  const isDirty = all.length > 0
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
}

const STATES = {
  on: { look: 'done', text: 'console.products.on' },
  off: { look: 'gone', text: 'console.products.off' },
  brandOff: { look: 'gone', text: 'console.product.brandOff' },
} as const

function Head({ data }: { readonly data: ProductData }) {
  const t = useT()
  const { look, text } = STATES[data.state]
  const fields = data.brand.values['fields']
  const counts: Partial<Record<ProductData['view'], number>> = {
    items: data.items.length,
    fields: Array.isArray(fields) ? fields.length : 0,
  }
  return (
    <>
      <div className="pg">
        <div className="row">
          {data.picture !== '' && (
            <img className="cover-s" src={data.picture} alt="" width="56" height="56" />
          )}
          <div>
            <a className="back" href={`${CONSOLE_PATH}/products`}>
              <Icon name="left" />
              {t('console.products.nav')}
            </a>
            <h1 className="row wrapx">
              <bdi>{data.name}</bdi> <State look={look} text={t(text)} />
            </h1>
          </div>
        </div>
        <div className="acts">
          {data.mayChange && (
            <a
              className="btn edge"
              href={`${CONSOLE_PATH}/selling?kind=product&code=${encodeURIComponent(data.code)}`}
            >
              {t('console.selling.stop')}
            </a>
          )}
          <a className="btn edge" href={data.shopPath} target="_blank" rel="noopener">
            <Icon name="out" />
            {t('console.product.inShop')}
          </a>
        </div>
      </div>
      <Views
        views={[
          { name: 'facts' as const, text: t('console.product.view.facts') },
          { name: 'items' as const, text: t('console.product.view.items') },
          { name: 'texts' as const, text: t('console.texts.nav') },
          { name: 'fields' as const, text: t('console.product.view.fields') },
          { name: 'pictures' as const, text: t('console.pictures.nav') },
          { name: 'history' as const, text: t('console.products.history') },
        ].map((view) => ({ ...view, count: counts[view.name] || null }))}
        current={data.view}
        address={(name) => `/products/${data.code}${name === 'facts' ? '' : `?view=${name}`}`}
      />
    </>
  )
}
