import { useState } from 'react'
import { Pager } from '../kit/pager.tsx'
import { Views } from '../kit/views.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { GoodsLinks } from '../goods-new/links.tsx'
import { CatalogueTabs } from '../lists/names.tsx'
import { Bulk } from './bulk.tsx'
import { Changes, History } from './changes.tsx'
import { GRID_FIELDS, useEdits, type GridField, type PasteFault } from './edits.ts'
import { FilterBar, FilterChips } from './filter-bar.tsx'
import { VIEW_NAMES, VIEW_TEXTS, VIEWS } from './filters.ts'
import type { ProductsData } from './load.ts'
import { PasteFaults, PasteTable } from './paste.tsx'
import { SaveBar } from './save-bar.tsx'
import { SavedNote, type Saved } from './saved-note.tsx'
import { fromOfItem, Table } from './table.tsx'

/** The shop's items under their products: prices, stock and what is on sale, edited in place. */
export function Page({ data }: { readonly data: ProductsData }) {
  const edits = useEdits()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [saved, setSaved] = useState<Saved | null>(null)
  const [faults, setFaults] = useState<readonly PasteFault[]>([])
  const items = data.groups.flatMap((group) => group.items)
  const fromOf = (code: string, field: string) => {
    const item = items.find((one) => one.code === code)
    return item && fromOfItem(item, field)
  }
  const done = (change: string | null, rows: number) => setSaved({ change, rows })
  async function paste(text: string, row: number, field: GridField) {
    const codes = items.slice(row).map(({ code }) => code)
    const columns = GRID_FIELDS.slice(GRID_FIELDS.indexOf(field))
    const read = await edits.paste(text, codes, columns, fromOf)
    setFaults(typeof read === 'string' ? [] : read.faults)
  }
  return (
    <>
      <Head view={data.view} mayChange={data.mayChange} />
      <History history={data.history} filters={data.filters} mayChange={data.mayChange} />
      {saved && <SavedNote saved={saved} forget={() => setSaved(null)} />}
      <section className="panel flush">
        <div className="tools">
          <FilterBar key={data.filters.find ?? ''} filters={data.filters} />
          <FilterChips filters={data.filters} />
        </div>
        <PasteFaults faults={faults} />
        {items.length === 0 ? (
          <Nothing isFiltered={Object.keys(data.filters).length > 0} />
        ) : (
          <Table
            data={data}
            edits={edits}
            chosen={chosen}
            choose={(codes, isChosen) => setChosen((before) => changedSet(before, codes, isChosen))}
            paste={(text, row, field) => void paste(text, row, field)}
          />
        )}
        <Pager previous={data.previous} next={data.next} />
      </section>
      {chosen.size > 0 && (
        <Bulk
          chosen={chosen}
          filters={data.filters}
          mayPrice={data.mayPrice}
          forget={() => setChosen(new Set())}
          done={done}
        />
      )}
      <SaveBar edits={edits} done={done} />
      {data.mayChange && <PasteTable edits={edits} fromOf={fromOf} />}
      <Changes changes={data.changes} mayChange={data.mayChange} />
    </>
  )
}

function changedSet(
  before: ReadonlySet<string>,
  codes: readonly string[],
  isChosen: boolean,
): ReadonlySet<string> {
  if (isChosen) return new Set([...before, ...codes])
  return new Set([...before].filter((code) => !codes.includes(code)))
}

function Head({ view, mayChange }: Pick<ProductsData, 'view' | 'mayChange'>) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.products.nav')}</h1>
          <p>{t('console.products.lead')}</p>
        </div>
        <GoodsLinks mayChange={mayChange} />
      </div>
      <CatalogueTabs current="products" />
      <Views
        views={VIEW_NAMES.map((name) => ({ name, text: t(VIEW_TEXTS[name]) }))}
        current={view}
        address={(name) => `/products?${new URLSearchParams({ ...VIEWS[name] }).toString()}`}
      />
    </>
  )
}

/** Nothing there yet, or nothing that fits: then with the way back to all of it. */
function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useT()
  return (
    <div className="empty">
      <h2>{t(isFiltered ? 'console.products.noneFound' : 'console.products.none')}</h2>
      {isFiltered ? (
        <a className="btn edge" href={`${CONSOLE_PATH}/products`}>
          {t('console.orders.clear')}
        </a>
      ) : (
        <p>{t('console.products.noneText')}</p>
      )}
    </div>
  )
}
