import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { ProvidersView } from './providers.ts'

/** Where the shop is paid, and how each of them stands; its settings are a page of their own. */
export function Providers({
  rows,
  mayNote,
}: Pick<ProvidersView, 'rows'> & { readonly mayNote: boolean }) {
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
              <th className="c2 num">{t('console.money.view.unmatched')}</th>
              <th className="num">{t('console.money.received')}</th>
              <th className="c1">{t('console.money.paidShare')}</th>
              <th className="c2 num">{t('console.money.available')}</th>
              <th className="c2">{t('console.money.compared')}</th>
              <th>
                <span className="sr">{t('console.money.settings')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Provider key={row.code} row={row} mayNote={mayNote} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Provider({
  row,
  mayNote,
}: {
  readonly row: ProvidersView['rows'][number]
  readonly mayNote: boolean
}) {
  const t = useT()
  return (
    <tr>
      <td className="t">
        <a className="go" href={settingsPath(row.code)}>
          <bdi>{row.name}</bdi>
        </a>{' '}
        {row.mode !== null && <span className="badge">{row.mode}</span>}
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
      <td className="c2 num">{row.unmatched}</td>
      <td className="num a">
        {row.received.length === 0
          ? '–'
          : row.received.map((amount) => (
              <span key={amount}>
                <bdi className="money">{amount}</bdi>{' '}
              </span>
            ))}
      </td>
      <td className="c1 m">
        {row.shares.length === 0
          ? '–'
          : row.shares.map((share) => (
              <span key={share} className="sub">
                {share}
              </span>
            ))}
      </td>
      <td className="c2 num">
        <Available row={row} />
      </td>
      <td className="c2 m">
        {row.compared ?? '–'} {mayNote && row.compared !== null && <Compare provider={row.code} />}
      </td>
      <td className="end hide-s">
        <a className="btn ghost sm" href={settingsPath(row.code)}>
          {t('console.money.settings')} <span className="sr">{row.code}</span>
        </a>
      </td>
    </tr>
  )
}

/** As it was told, and how long ago. */
function Available({
  row: { available, availableAge: age },
}: {
  readonly row: ProvidersView['rows'][number]
}) {
  const t = useT()
  if (age === null) return '–'
  return (
    <>
      {available.map((amount) => (
        <span key={amount}>
          <bdi className="money">{amount}</bdi>{' '}
        </span>
      ))}
      <small className="sub">{t('console.money.balanceAge', { age })}</small>
    </>
  )
}

const settingsPath = (code: string) => `${CONSOLE_PATH}/money/providers/${code}`

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
