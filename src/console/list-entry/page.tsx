import { useEffect, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { State } from '../kit/state.tsx'
import { Views } from '../kit/views.tsx'
import { listName, listPath } from '../lists/names.tsx'
import { SharedProvider } from '../product/editor.tsx'
import { History } from '../product/history.tsx'
import { Save } from '../product/save.tsx'
import { Texts } from '../product/texts.tsx'
import { useSaving } from '../product/use-saving.ts'
import { useEdits } from '../products/edits.ts'
import { SavedNote, type Saved } from '../products/saved-note.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { EntryFacts } from './facts.tsx'
import type { EntryData } from './load.ts'

/** One entry of a list of the catalogue: its facts and its name in every language, saved as one change. */
export function Page({ data }: { readonly data: EntryData }) {
  return <EntryEditor key={`${data.list} ${data.entry.code}`} data={data} />
}

function EntryEditor({ data }: { readonly data: EntryData }) {
  const edits = useEdits()
  const saving = useSaving(edits)
  const [saved, setSaved] = useState<Saved | null>(null)
  const isDirty = edits.all.length > 0
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
  const here = `${listPath(data.list)}/${data.entry.code}`
  return (
    <SharedProvider value={{ data, edits, saving, here, goodsOf: () => data.entry }}>
      <Head data={data} here={here} />
      {saved && <SavedNote saved={saved} forget={() => setSaved(null)} />}
      {data.view === 'facts' && <EntryFacts data={data} />}
      {data.view === 'texts' && <Texts />}
      {data.history && <History history={data.history} />}
      <Save done={(change, rows) => setSaved({ change, rows })} />
    </SharedProvider>
  )
}

function Head({ data, here }: { readonly data: EntryData; readonly here: string }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={CONSOLE_PATH + listPath(data.list)}>
            <Icon name="left" />
            {listName(t, data.list)}
          </a>
          <h1 className="row wrapx">
            <bdi>{data.name}</bdi>{' '}
            {data.status && (
              <State
                look={data.status === 'active' ? 'done' : 'gone'}
                text={t(data.status === 'active' ? 'console.products.on' : 'console.products.off')}
              />
            )}
          </h1>
        </div>
      </div>
      <Views
        views={[
          { name: 'facts' as const, text: t('console.product.view.facts') },
          { name: 'texts' as const, text: t('console.texts.nav') },
          { name: 'history' as const, text: t('console.products.history') },
        ]}
        current={data.view}
        address={(name) => (name === 'facts' ? here : `${here}?view=${name}`)}
      />
    </>
  )
}
