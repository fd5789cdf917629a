import { useId, useState, type FormEvent } from 'react'
import { AddressText } from '#ui/address-text.tsx'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Pager } from '../kit/pager.tsx'
import { Views } from '../kit/views.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { CustomerRow, CustomersData } from './load.ts'

interface Found {
  readonly id: string
  readonly nickname: string
  readonly email: string
  readonly uid: string
  readonly status: 'active' | 'frozen' | 'cancelling'
}

/** The shop's customers: what is looked for goes in a call, never into an address. */
export function Page({ data }: { readonly data: CustomersData }) {
  const t = useT()
  const [found, setFound] = useState<readonly Found[] | null>(null)
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.customers.nav')}</h1>
          <p>{t('console.customers.lead')}</p>
        </div>
      </div>
      <Find onFound={setFound} />
      {found === null ? (
        <Listed data={data} />
      ) : (
        <section className="panel flush" aria-live="polite">
          <div className="panel-h">
            <h2>{t('console.customers.foundCount', { count: found.length })}</h2>
            <button type="button" className="btn edge sm" onClick={() => setFound(null)}>
              {t('console.customers.all')}
            </button>
          </div>
          {found.length === 0 ? <NoneFound /> : <FoundTable found={found} />}
        </section>
      )}
    </>
  )
}

function Find({ onFound }: { readonly onFound: (found: readonly Found[]) => void }) {
  const t = useT()
  const field = useId()
  const attempt = useAttempt()
  async function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('text'))
    const found = await attempt.run(() => callConsole<Found[]>('shoppers/find', { text }))
    if (found) onFound(found)
  }
  const fault = attempt.fields['text']
  return (
    <form className="panel row wrapx" role="search" onSubmit={(event) => void find(event)}>
      <Labelled id={field} label={t('console.customers.find')} fault={fault} isWide>
        <input
          className="input"
          id={field}
          name="text"
          type="search"
          autoComplete="off"
          minLength={2}
          maxLength={254}
          required
          aria-invalid={fault !== undefined}
        />
      </Labelled>
      <button type="submit" className="btn solid" disabled={attempt.isBusy}>
        <Icon name="search" />
        {t('console.customers.search')}
      </button>
      <Fault text={attempt.fault} />
    </form>
  )
}

function NoneFound() {
  const t = useT()
  return (
    <div className="empty">
      <h2>{t('console.customers.noneFound')}</h2>
      <p>{t('console.customers.noneFoundText')}</p>
    </div>
  )
}

const LOOKS = { active: 'done', frozen: 'badge bad', cancelling: 'gone' } as const

function FoundTable({ found }: { readonly found: readonly Found[] }) {
  const t = useT()
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.orders.customer')}</th>
            <th>{t('console.customers.email')}</th>
            <th className="num">{t('console.customers.uid')}</th>
            <th>{t('console.orders.state')}</th>
          </tr>
        </thead>
        <tbody>
          {found.map((one) => (
            <tr key={one.id}>
              <td className="t">
                <a className="go" href={`${CONSOLE_PATH}/customers/${one.id}`}>
                  <bdi>{one.nickname}</bdi>
                </a>
              </td>
              <td className="m">
                <AddressText>{one.email}</AddressText>
              </td>
              <td className="num a">
                <bdi className="mono">{one.uid}</bdi>
              </td>
              <td className="s">
                <State
                  look={LOOKS[one.status]}
                  text={t(`console.customers.status.${one.status}`)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Listed({ data }: { readonly data: CustomersData }) {
  const t = useT()
  return (
    <>
      <Views
        views={data.views.map((name) => ({
          name,
          text: t(`console.customers.view.${name}`),
          count: data.counts[name],
        }))}
        current={data.view}
        address={(view) => `/customers?view=${view}`}
      />
      <section className="panel flush">
        {data.rows.length === 0 ? (
          <div className="empty">
            <h2>{t('console.customers.none')}</h2>
            <p>{t(`console.customers.noneText.${data.view}`)}</p>
          </div>
        ) : (
          <Table rows={data.rows} />
        )}
        <Pager newer={data.newer} older={data.older} />
      </section>
    </>
  )
}

function Table({ rows }: { readonly rows: readonly CustomerRow[] }) {
  const t = useT()
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.orders.customer')}</th>
            <th>{t('console.customers.email')}</th>
            <th className="num c2">{t('console.customers.uid')}</th>
            <th className="c2">{t('console.customers.levelHead')}</th>
            <th>{t('console.orders.state')}</th>
            <th className="num c1">{t('console.customers.lastOrder')}</th>
            <th className="num">{t('console.customers.since')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="t">
                <a className="go" href={`${CONSOLE_PATH}/customers/${row.id}`}>
                  <bdi>{row.name}</bdi>
                </a>
              </td>
              <td className="m">
                <AddressText>{row.email}</AddressText>
              </td>
              <td className="num c2">
                <bdi className="mono">{row.uid}</bdi>
              </td>
              <td className="c2">{row.level}</td>
              <td className="s">
                <State look={row.look} text={row.state} />
              </td>
              <td className="num c1">{row.lastOrder ?? '–'}</td>
              <td className="num a">{row.since}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
