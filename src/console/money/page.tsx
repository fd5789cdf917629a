import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Bank } from './bank-panel.tsx'
import { Ledger } from './ledger-panel.tsx'
import type { MoneyData } from './load.ts'
import { Differences, Unmatched } from './open-money.tsx'
import type { ProvidersView } from './providers.ts'
import { Tax } from './tax-panel.tsx'
import { State } from '../kit/state.tsx'

/** The shop's money: where it arrives, what matches no order, what differs, and the books. */
export function Page({ data }: { readonly data: MoneyData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.money.nav')}</h1>
          <p>{t('console.money.lead', { count: openCount(data) })}</p>
        </div>
      </div>
      <nav className="views" aria-label={t('console.orders.views')}>
        {data.views.map((view) => {
          const count = data.counts[view] ?? 0
          return (
            <a
              key={view}
              href={`${CONSOLE_PATH}/money?view=${view}`}
              aria-current={view === data.shown.view ? 'page' : undefined}
            >
              {t(`console.money.view.${view}`)}
              {count > 0 && <span className="n act">{count}</span>}
            </a>
          )
        })}
      </nav>
      <Shown data={data} />
    </>
  )
}

const openCount = ({ counts }: MoneyData) =>
  (counts.bank ?? 0) + (counts.unmatched ?? 0) + (counts.differences ?? 0)

function Shown({ data: { shown, mayNote } }: { readonly data: MoneyData }) {
  switch (shown.view) {
    case 'providers':
      return <Providers rows={shown.rows} mayNote={mayNote} />
    case 'bank':
      return <Bank shown={shown} mayNote={mayNote} />
    case 'unmatched':
      return <Unmatched shown={shown} mayNote={mayNote} />
    case 'differences':
      return <Differences shown={shown} mayNote={mayNote} />
    case 'tax':
      return <Tax shown={shown} />
    case 'ledger':
      return <Ledger shown={shown} />
  }
}

function Providers({ rows, mayNote }: Pick<ProvidersView, 'rows'> & { readonly mayNote: boolean }) {
  const t = useT()
  if (rows.length === 0)
    return (
      <section className="panel empty">
        <h2>{t('console.money.noProviders')}</h2>
        <p>{t('console.money.noProvidersText')}</p>
      </section>
    )
  return (
    <section className="panel flush" aria-labelledby="providers">
      <div className="panel-h">
        <h2 id="providers">{t('console.money.view.providers')}</h2>
        <p>{t('console.money.noticesText')}</p>
      </div>
      <div className="scrollx line-t" tabIndex={0}>
        <table className="fold">
          <thead>
            <tr>
              <th>{t('console.money.provider')}</th>
              <th>{t('console.orders.state')}</th>
              <th className="c1">{t('console.money.lastNotice')}</th>
              <th className="c1 num">{t('console.money.open')}</th>
              <th className="num">{t('console.money.received')}</th>
              <th className="c2">{t('console.money.compared')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.code}>
                <td className="t">
                  <bdi>{row.code}</bdi>
                </td>
                <td className="s">
                  <State look={row.look} text={row.state} />
                  {row.failure !== null && (
                    <small className="sub" lang="en" dir="ltr">
                      {row.failure}
                    </small>
                  )}
                </td>
                <td className="c1">{row.lastNotice}</td>
                <td className="c1 num">{row.open}</td>
                <td className="num a">
                  {row.received.length === 0
                    ? '–'
                    : row.received.map((amount) => (
                        <span key={amount}>
                          <bdi className="money">{amount}</bdi>{' '}
                        </span>
                      ))}
                </td>
                <td className="c2 m">
                  {row.compared ?? '–'}{' '}
                  {mayNote && row.compared !== null && <Compare provider={row.code} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The worker compares within a few seconds; what differs appears under its tab. */
function Compare({ provider }: { readonly provider: string }) {
  const t = useT()
  const attempt = useAttempt()
  return (
    <>
      <button
        type="button"
        className="btn ghost sm"
        disabled={attempt.isBusy}
        onClick={() =>
          void attempt
            .run(() => callConsole('money/compare', { provider }))
            .then((done) => done && setTimeout(refreshPage, COMPARED_MS))
        }
      >
        {t('console.money.compare')}
      </button>
      <Fault text={attempt.fault} />
    </>
  )
}

const COMPARED_MS = 5_000
