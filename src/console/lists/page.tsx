import { useState } from 'react'
import type { EntryList } from '#features/goods/editing/rules.ts'
import { Icon } from '#ui/icon.tsx'
import { Pager } from '../kit/pager.tsx'
import { State } from '../kit/state.tsx'
import { Undo } from '../products/changes.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { EntryRow, ListsData } from './load.ts'
import { CatalogueTabs, listName, listPath } from './names.tsx'

/** One list of what products are put in order by: found, counted, and the way to each. */
export function Page({ data }: { readonly data: ListsData }) {
  const t = useT()
  const { list, rows, find, status } = data
  return (
    <>
      <div className="pg">
        <div>
          <h1>{listName(t, list)}</h1>
          <p>{t(`console.lists.lead.${list}`)}</p>
        </div>
        {data.mayChange && <Add list={list} />}
      </div>
      <CatalogueTabs current={list} />
      {data.removed && <Removed key={data.removed.change} {...data.removed} list={list} />}
      <section className="panel flush">
        <div className="tools">
          <Find key={`${list} ${find} ${status}`} data={data} />
        </div>
        {rows.length === 0 ? (
          <div className="empty">
            <h2>
              {t(
                find === '' && status === '' ? 'console.lists.none' : 'console.products.noneFound',
              )}
            </h2>
          </div>
        ) : (
          <Table data={data} />
        )}
        <Pager previous={data.previous} next={data.next} />
      </section>
    </>
  )
}

/** The way to a new one; brands are made with their first product, operators come with files. */
function Add({ list }: { readonly list: EntryList }) {
  const t = useT()
  if (list === 'operators')
    return (
      <div className="row wrapx">
        <p className="hint">{t('console.lists.operatorsCome')}</p>
        <a className="btn edge" href={`${CONSOLE_PATH}/products/files`}>
          <Icon name="download" />
          {t('console.goodsFiles.title')}
        </a>
      </div>
    )
  const path = list === 'brands' ? '/products/new' : `/products/lists/new/${list}`
  return (
    <a className="btn solid" href={CONSOLE_PATH + path}>
      <Icon name="plus" />
      {t(list === 'brands' ? 'console.goodsNew.title' : `console.lists.add.${list}`)}
    </a>
  )
}

/** What was taken away a moment ago, and the way back. */
function Removed({
  change,
  name,
  list,
}: {
  readonly change: string
  readonly name: string
  readonly list: EntryList
}) {
  const t = useT()
  const [isUndoing, undo] = useState(false)
  return (
    <section className="note" role="status">
      <p>
        {t('console.lists.removed')} <bdi>{name}</bdi>
      </p>
      {isUndoing ? (
        <Undo change={change} close={() => location.assign(CONSOLE_PATH + listPath(list))} />
      ) : (
        <button type="button" className="btn edge sm" onClick={() => undo(true)}>
          {t('console.method.undo')}
        </button>
      )}
    </section>
  )
}

const HAS_STATUS: ReadonlySet<EntryList> = new Set(['categories', 'games', 'brands', 'operators'])

/** A form that asks for an address, so that it works before anything is alive. */
function Find({ data: { list, find, status } }: { readonly data: ListsData }) {
  const t = useT()
  return (
    <form className="bar-f" action={CONSOLE_PATH + listPath(list)} role="search">
      <label className="in">
        <Icon name="search" />
        <span className="sr">{t('console.products.find')}</span>
        <input
          className="input"
          name="find"
          type="search"
          maxLength={100}
          autoComplete="off"
          placeholder={t('console.products.find')}
          defaultValue={find}
        />
      </label>
      {HAS_STATUS.has(list) && (
        <select
          className="input auto"
          name="status"
          aria-label={t('console.orders.state')}
          defaultValue={status}
        >
          <option value="">{t('console.products.all')}</option>
          <option value="active">{t('console.products.on')}</option>
          <option value="suspended">{t('console.products.off')}</option>
        </select>
      )}
      <button type="submit" className="btn edge sm">
        {t('console.orders.apply')}
      </button>
    </form>
  )
}

/** By what each list is put in order, and what its entries are part of. */
const ORDERED = {
  categories: 'console.products.position',
  regions: 'console.products.position',
  platforms: 'console.products.position',
  games: 'console.product.field.popularity',
  brands: 'console.product.field.popularity',
  operators: 'console.product.field.popularity',
} as const
const ABOVE = {
  categories: 'console.product.field.parent',
  games: 'console.product.field.category',
  brands: 'console.product.field.game',
  operators: 'console.product.lock.country',
} as const

function Table({ data: { list, rows } }: { readonly data: ListsData }) {
  const t = useT()
  const above = list in ABOVE ? ABOVE[list as keyof typeof ABOVE] : null
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.people.name')}</th>
            {above && <th className="c1">{t(above)}</th>}
            <th className="num c2">{t(ORDERED[list])}</th>
            <th className="num">{t('console.products.nav')}</th>
            <th className="num c1">{t('console.product.languages')}</th>
            {HAS_STATUS.has(list) && <th>{t('console.orders.state')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.code} row={row} list={list} hasAbove={above !== null} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  row,
  list,
  hasAbove,
}: {
  readonly row: EntryRow
  readonly list: EntryList
  readonly hasAbove: boolean
}) {
  const t = useT()
  return (
    <tr>
      <td className="t">
        <span style={row.depth > 0 ? { paddingInlineStart: `${row.depth}rem` } : undefined}>
          <a className="link" href={`${CONSOLE_PATH}${listPath(list)}/${row.code}`}>
            <b>
              <bdi>{row.name}</bdi>
            </b>
          </a>{' '}
          <bdi className="mono small hide-s">{row.code}</bdi>
        </span>
      </td>
      {hasAbove && (
        <td className="m c1">
          <bdi>{row.above ?? '–'}</bdi>
        </td>
      )}
      <td className="num c2">{row.order}</td>
      <td className="num a">
        {row.products}
        <span className="sr"> {t('console.products.nav')}</span>
      </td>
      <td className={row.isWhole ? 'num c1' : 'num c1 muted'}>{row.texts}</td>
      {HAS_STATUS.has(list) && (
        <td className="s">
          <State
            look={row.status === 'active' ? 'done' : 'gone'}
            text={t(row.status === 'active' ? 'console.products.on' : 'console.products.off')}
          />
        </td>
      )}
    </tr>
  )
}
