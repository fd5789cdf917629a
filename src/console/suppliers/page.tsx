import { State } from '../kit/state.tsx'
import { Views } from '../kit/views.tsx'
import { supplierName } from '../kit/supplier-name.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { AllView, SupplierRow, SuppliersData } from './load.ts'
import { RulePanel } from './rule-panel.tsx'
import { SUPPLIER_VIEWS } from './views.ts'
import { Cases, Differences, Doubts, Invoices, Waiting } from './work-panels.tsx'

/** Whom the shop buys from: how each goes, what waits for a person, and by what they are put in order. */
export function Page({ data }: { readonly data: SuppliersData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.suppliers.nav')}</h1>
          <p>{t('console.suppliers.lead', { count: data.needs })}</p>
        </div>
      </div>
      <Views
        views={SUPPLIER_VIEWS.map((name) => ({
          name,
          text: t(`console.suppliers.view.${name}`),
          count: data.counts[name] || null,
          isUrgent: true,
        }))}
        current={data.shown.view}
        address={(view) => `/suppliers?view=${view}`}
      />
      <Shown data={data} />
    </>
  )
}

function Shown({ data: { shown, mayDecide, mayNote } }: { readonly data: SuppliersData }) {
  switch (shown.view) {
    case 'all':
      return <All shown={shown} />
    case 'doubts':
      return <Doubts shown={shown} />
    case 'waiting':
      return <Waiting shown={shown} />
    case 'cases':
      return <Cases shown={shown} mayDecide={mayDecide} />
    case 'differences':
      return <Differences shown={shown} mayDecide={mayDecide} />
    case 'invoices':
      return <Invoices shown={shown} mayNote={mayNote} />
    case 'rule':
      return <RulePanel shown={shown} />
  }
}

function All({ shown: { rows } }: { readonly shown: AllView }) {
  const t = useT()
  return (
    <section className="panel flush scrollx" aria-label={t('console.suppliers.nav')} tabIndex={0}>
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.suppliers.supplier')}</th>
            <th>{t('console.orders.state')}</th>
            <th className="c1 num">{t('console.suppliers.p50')}</th>
            <th className="c2 num">{t('console.suppliers.p95')}</th>
            <th className="num">{t('console.suppliers.share')}</th>
            <th className="num">{t('console.money.balance')}</th>
            <th className="c1 num">{t('console.suppliers.view.waiting')}</th>
            <th className="num">{t('console.suppliers.view.doubts')}</th>
            <th className="c2">{t('console.suppliers.last')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.code} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ row }: { readonly row: SupplierRow }) {
  const t = useT()
  return (
    <tr>
      <td className="t">
        <a className="go" href={`${CONSOLE_PATH}/suppliers/${row.code}`}>
          <bdi>{supplierName(row.code)}</bdi>
        </a>{' '}
        {row.mode !== null && <span className="badge">{row.mode}</span>}
        <span className="sub">{t('console.suppliers.items', { count: String(row.offers) })}</span>
      </td>
      <td className="s">
        <State look={row.look} text={row.state} />
        {row.why !== null && <small className="sub">{row.why}</small>}
        {row.needs > 0 && (
          <span className="badge warn">
            {t('console.suppliers.needs', { count: String(row.needs) })}
          </span>
        )}
      </td>
      <td className="c1 num">
        {row.day.p50}
        <Before value={row.before.p50} />
      </td>
      <td className="c2 num">
        {row.day.p95}
        <Before value={row.before.p95} />
      </td>
      <td className="num m">
        <span className="show-s">{t('console.suppliers.share')}: </span>
        {row.day.share}
      </td>
      <td className="num a">
        {row.balances.length === 0
          ? '–'
          : row.balances.map((balance) => (
              <span key={balance.amount}>
                <bdi className="money">{balance.amount}</bdi>
                {balance.lasts !== null && (
                  <span className={balance.isLow ? 'badge warn' : 'sub'}>
                    {t('console.suppliers.lasts', { time: balance.lasts })}
                  </span>
                )}
              </span>
            ))}
      </td>
      <td className="c1 num">{row.queued}</td>
      <td className="num">
        {row.doubts === 0 ? '0' : <span className="badge bad">{row.doubts}</span>}
      </td>
      <td className="c2 m">
        <small className="sub">{t('console.suppliers.lastNotice', { age: row.noticed })}</small>
        <small className="sub">{t('console.suppliers.lastSync', { age: row.synced })}</small>
        <small className="sub">
          {t('console.suppliers.lastComparison', { age: row.compared })}
        </small>
      </td>
    </tr>
  )
}

function Before({ value }: { readonly value: string }) {
  const t = useT()
  return value === '–' ? null : (
    <small className="sub">{t('console.suppliers.before', { value })}</small>
  )
}
