import { useId, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { FILTER_HOLDS, type FilterName } from './filter-names.ts'
import type { OrdersData } from './load.ts'

const TEXTS = ['country', 'product', 'supplier', 'provider', 'method', 'currency'] as const
const AMOUNTS = ['least', 'most'] as const
const DAYS = ['since', 'until'] as const

/** What a list is narrowed by: a form that asks for an address, so that it works before anything is alive. */
export function FilterBar({ data }: { readonly data: OrdersData }) {
  const t = useT()
  const { filters, view } = data
  const isSet = Object.keys(filters).length > 0
  return (
    <details>
      <summary className="btn ghost sm">
        <Icon name="filter" />
        {t('console.orders.filters')}
      </summary>
      <form className="bar-f" action={`${CONSOLE_PATH}/orders`}>
        <input type="hidden" name="view" value={view ?? 'all'} />
        <HoldField value={filters.hold ?? ''} />
        {TEXTS.map((name) => (
          <Input key={name} name={name} value={filters[name]} />
        ))}
        {AMOUNTS.map((name) => (
          <Input key={name} name={name} value={filters[name]} inputMode="decimal" />
        ))}
        {DAYS.map((name) => (
          <Input key={name} name={name} value={filters[name]} type="date" />
        ))}
        <label className="check">
          <input type="checkbox" name="case" value="1" defaultChecked={filters.case === '1'} />
          <span>{t('console.orders.filter.case')}</span>
        </label>
        <span className="end">
          <button type="submit" className="btn solid sm">
            {t('console.orders.apply')}
          </button>
          {isSet && (
            <a className="btn ghost sm" href={`${CONSOLE_PATH}/orders?view=${view ?? 'all'}`}>
              {t('console.orders.clear')}
            </a>
          )}
        </span>
      </form>
      {isSet && <SaveView data={data} />}
    </details>
  )
}

/** What the list is narrowed by now; each of it is taken away by one press. */
export function FilterChips({ data: { filters, view, method } }: { readonly data: OrdersData }) {
  const t = useT()
  return Object.entries(filters).map(([name, value]) => {
    const { [name as FilterName]: _, ...others } = filters
    const query = new URLSearchParams({ view: view ?? 'all', ...others })
    const label = t(`console.orders.filter.${name as FilterName}`)
    const hold = FILTER_HOLDS.find((one) => name === 'hold' && one === value)
    const called = hold ? t(`console.hold.${hold}`) : name === 'method' ? method : value
    return (
      <span key={name} className="filt">
        <span>{label}</span>
        {name !== 'case' && (
          <b>
            <bdi>{called}</bdi>
          </b>
        )}
        <a href={`${CONSOLE_PATH}/orders?${query.toString()}`}>
          <Icon name="x" />
          <span className="sr">
            {t('console.orders.clear')} {label}
          </span>
        </a>
      </span>
    )
  })
}

function HoldField({ value }: { readonly value: string }) {
  const t = useT()
  const field = useId()
  return (
    <span className="field">
      <label htmlFor={field}>{t('console.orders.filter.hold')}</label>
      <select className="input" id={field} name="hold" defaultValue={value}>
        <option value="">–</option>
        {FILTER_HOLDS.map((hold) => (
          <option key={hold} value={hold}>
            {t(`console.hold.${hold}`)}
          </option>
        ))}
      </select>
    </span>
  )
}

function Input({
  name,
  value,
  type = 'text',
  inputMode,
}: {
  readonly name: Exclude<FilterName, 'hold' | 'case'>
  readonly value: string | undefined
  readonly type?: 'text' | 'date'
  readonly inputMode?: 'decimal'
}) {
  const t = useT()
  const field = useId()
  return (
    <span className="field">
      <label htmlFor={field}>{t(`console.orders.filter.${name}`)}</label>
      <input
        className="input"
        id={field}
        name={name}
        type={type}
        inputMode={inputMode}
        maxLength={100}
        defaultValue={value ?? ''}
      />
    </span>
  )
}

/** Keeps the list with its filters under a name of one's own. */
function SaveView({ data: { filters, view } }: { readonly data: OrdersData }) {
  const t = useT()
  const attempt = useAttempt()
  const [name, setName] = useState('')
  async function save() {
    const given = { name, filters: { view: view ?? 'all', ...filters } }
    if (await attempt.run(() => callConsole('orders/save_view', given))) refreshPage()
  }
  return (
    <form
      className="bar-f"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <LineField
        label={t('console.orders.viewName')}
        value={name}
        max={60}
        write={setName}
        fault={attempt.fields['name']}
      />
      <button type="submit" className="btn edge sm" disabled={attempt.isBusy}>
        {t('console.orders.saveView')}
      </button>
      <Fault text={attempt.fault} />
    </form>
  )
}
