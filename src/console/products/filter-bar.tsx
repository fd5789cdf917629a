import { useId, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import {
  FILTER_FLAGS,
  FILTER_STATUS,
  FILTER_STOCK,
  FILTER_TEXTS,
  FILTER_TEXTS_OF,
  type FilterName,
  type FilterValues,
} from './filters.ts'

const addressOf = (filters: FilterValues) =>
  `${CONSOLE_PATH}/products?${new URLSearchParams({ ...filters }).toString()}`

/** What the list is narrowed by: a form that asks for an address, so that it works before anything is alive. */
export function FilterBar({ filters }: { readonly filters: FilterValues }) {
  const t = useT()
  const { find, ...others } = filters
  const [typed, setTyped] = useState(find ?? '')
  return (
    <>
      <form className="bar-f" action={`${CONSOLE_PATH}/products`} role="search">
        {Object.entries(others).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
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
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <button type="submit" className="btn edge sm">
          {t('console.orders.apply')}
        </button>
      </form>
      <details>
        <summary className="btn ghost sm">
          <Icon name="filter" />
          {t('console.orders.filters')}
        </summary>
        <form className="bar-f" action={`${CONSOLE_PATH}/products`}>
          {find !== undefined && <input type="hidden" name="find" value={find} />}
          {FILTER_TEXTS.map((name) => (
            <TextFilter key={name} name={name} value={filters[name]} />
          ))}
          <ListFilter name="status" value={filters.status} list={FILTER_STATUS} />
          <ListFilter name="stock" value={filters.stock} list={FILTER_STOCK} />
          {FILTER_FLAGS.map((name) => (
            <label key={name} className="check">
              <input type="checkbox" name={name} value="1" defaultChecked={filters[name] === '1'} />
              <span>{t(FILTER_TEXTS_OF[name])}</span>
            </label>
          ))}
          <span className="end">
            <button type="submit" className="btn solid sm">
              {t('console.orders.apply')}
            </button>
          </span>
        </form>
      </details>
    </>
  )
}

function TextFilter({
  name,
  value = '',
}: {
  readonly name: (typeof FILTER_TEXTS)[number]
  readonly value: string | undefined
}) {
  const t = useT()
  const field = useId()
  return (
    <span className="field">
      <label htmlFor={field}>{t(FILTER_TEXTS_OF[name])}</label>
      <input className="input" id={field} name={name} maxLength={100} defaultValue={value} />
    </span>
  )
}

function ListFilter<Name extends 'status' | 'stock'>({
  name,
  value = '',
  list,
}: {
  readonly name: Name
  readonly value: string | undefined
  readonly list: readonly string[]
}) {
  const t = useT()
  const field = useId()
  return (
    <span className="field">
      <label htmlFor={field}>{t(FILTER_TEXTS_OF[name])}</label>
      <select className="input" id={field} name={name} defaultValue={value}>
        <option value="">–</option>
        {list.map((one) => (
          <option key={one} value={one}>
            {valueText(t, name, one)}
          </option>
        ))}
      </select>
    </span>
  )
}

const STOCK_TEXTS = {
  in: 'console.products.inStock',
  out: 'console.products.soldOut',
  to_order: 'console.products.toOrder',
} as const

/** A filter's value as people read it; what is said in words is what they said. */
function valueText(t: ReturnType<typeof useT>, name: FilterName, value: string): string {
  if (name === 'status')
    return t(value === 'active' ? 'console.products.on' : 'console.products.off')
  const stock = FILTER_STOCK.find((one) => name === 'stock' && one === value)
  return stock ? t(STOCK_TEXTS[stock]) : value
}

/** What the list is narrowed by now; each of it is taken away by one press. */
export function FilterChips({ filters }: { readonly filters: FilterValues }) {
  const t = useT()
  return Object.entries(filters).map(([key, value]) => {
    const name = key as FilterName
    const { [name]: _, ...others } = filters
    const label = t(FILTER_TEXTS_OF[name])
    const isFlag = (FILTER_FLAGS as readonly string[]).includes(name)
    return (
      <span key={name} className="filt">
        <span>{label}</span>
        {!isFlag && (
          <b>
            <bdi>{valueText(t, name, value)}</bdi>
          </b>
        )}
        <a href={addressOf(others)}>
          <Icon name="x" />
          <span className="sr">
            {t('console.orders.clear')} {label}
          </span>
        </a>
      </span>
    )
  })
}
