import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { Pager } from '../kit/pager.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Views } from '../kit/views.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { Batches } from '../shelf/batches.tsx'
import { useT } from '../words.tsx'
import type { KeysData } from './load.ts'
import type { ShelfRow } from './rows.ts'

const KEYS = `${CONSOLE_PATH}/keys`
const VIEWS = ['all', 'low', 'expiring', 'quarantine', 'reported'] as const

/** Shelves of card keys: what is there, how long it lasts, what it cost. Those that run out first come first. */
export function Page({ data }: { readonly data: KeysData }) {
  const t = useT()
  const { shelves, free, worth } = data.lead
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.keys.nav')}</h1>
          <p>
            {t('console.keys.lead', { count: shelves, free })}{' '}
            {worth !== '' && t('console.keys.worth', { worth })}
          </p>
        </div>
      </div>
      <LookUp />
      <Views
        views={VIEWS.map((name) => ({
          name,
          text: t(`console.keys.view.${name}`),
          count: data.counts[name] || null,
          isUrgent: name === 'low',
        }))}
        current={data.view}
        address={(view) => `/keys?view=${view}`}
      />
      {data.view === 'reported' ? <Batches rows={data.batches} /> : <Shelves data={data} />}
    </>
  )
}

function Shelves({ data }: { readonly data: KeysData }) {
  const t = useT()
  return (
    <section className="panel flush">
      <Search data={data} />
      {data.rows.length === 0 ? (
        <div className="empty">
          <h2>{t('console.keys.none')}</h2>
          <p>{t('console.keys.noneText')}</p>
        </div>
      ) : (
        <Table rows={data.rows} />
      )}
      <Pager next={data.next} />
    </section>
  )
}

function Search({ data }: { readonly data: KeysData }) {
  const t = useT()
  return (
    <form className="row wrapx panel-h" action={KEYS}>
      <input type="hidden" name="view" value={data.view} />
      <label className="field grow">
        <span className="sr">{t('console.keys.search')}</span>
        <input
          className="input"
          name="q"
          type="search"
          defaultValue={data.search}
          placeholder={t('console.keys.search')}
          maxLength={100}
        />
      </label>
      <button type="submit" className="btn edge">
        <Icon name="search" />
        {t('console.keys.searchGo')}
      </button>
    </form>
  )
}

function Table({ rows }: { readonly rows: readonly ShelfRow[] }) {
  const t = useT()
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.keys.shelf')}</th>
            <th className="num">{t('console.keys.free')}</th>
            <th className="c1 num">{t('console.keys.reserved')}</th>
            <th className="num">{t('console.keys.sold90')}</th>
            <th className="c2">{t('console.keys.cover')}</th>
            <th>{t('console.orders.state')}</th>
            <th className="c2 num">{t('console.keys.value')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.item}>
              <td className="t">
                <a className="go" href={`${KEYS}/${row.item}`}>
                  <span dir="auto">{row.name}</span>
                </a>
                <span className="sub">
                  <bdi>{row.sub}</bdi>
                </span>
              </td>
              <td className="num a">
                <b>{row.free}</b>
              </td>
              <td className="c1 num">{row.reserved}</td>
              <td className="num m">
                <span className="show-s">{t('console.keys.sold90')}: </span>
                {row.sold}
              </td>
              <td className="c2">
                <Cover row={row} />
              </td>
              <td className="s">
                <State look={row.look} text={row.state} />
              </td>
              <td className="c2 num">
                {row.values.map((value) => (
                  <bdi key={value} className="money">
                    {value}{' '}
                  </bdi>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cover({ row: { look, meter } }: { readonly row: ShelfRow }) {
  const kind = look === 'badge bad' ? 'b' : look === 'badge warn' ? 'w' : 'o'
  return (
    <span className="meter" aria-hidden="true">
      <i className={kind} style={{ inlineSize: `${meter}%` }} />
    </span>
  )
}

interface FoundKey {
  readonly id: string
  readonly item: string
  readonly batch: string
  readonly ends_in: string
  readonly status: 'free' | 'claimed' | 'delivered' | 'quarantined' | 'void'
  readonly order: string | null
}

/** Who got a code: looked for by its keyed hash, and kept nowhere. */
function LookUp() {
  const t = useT()
  const attempt = useAttempt()
  const [found, setFound] = useState<readonly FoundKey[] | null>(null)
  return (
    <details className="panel">
      <summary>{t('console.keys.find')}</summary>
      <form
        className="stack-2"
        onSubmit={(event) => {
          event.preventDefault()
          const code = String(new FormData(event.currentTarget).get('code'))
          void attempt
            .run(() => callConsole<readonly FoundKey[]>('keys/find', { code }))
            .then((keys) => setFound(keys))
        }}
      >
        <Labelled
          id="find-code"
          label={t('console.keys.code')}
          hint={t('console.keys.findHint')}
          fault={attempt.fields['code']}
        >
          <input className="input mono" id="find-code" name="code" autoComplete="off" required />
        </Labelled>
        <Fault text={attempt.fault} />
        <button type="submit" className="btn edge" disabled={attempt.isBusy}>
          {t('console.keys.searchGo')}
        </button>
        <div aria-live="polite">
          {found?.length === 0 && <p>{t('console.keys.findNone')}</p>}
          {found?.map((key) => (
            <p key={key.id}>
              <a className="link" href={`${KEYS}/${key.item}/${key.batch}?status=${key.status}`}>
                <bdi className="mono">····{key.ends_in}</bdi>
              </a>{' '}
              {t(`console.keys.is.${key.status}`)}{' '}
              {key.order !== null && <OrderLink number={key.order} />}
            </p>
          ))}
        </div>
      </form>
    </details>
  )
}
