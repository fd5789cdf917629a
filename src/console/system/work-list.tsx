import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Pager } from '../kit/pager.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { WorkRow, WorkView } from './work.ts'

const STATES = ['failed', 'waiting'] as const
/** The most that one call takes. */
const AT_ONCE = 200

/** Jobs, mails or notices: why each failed, when it is tried next, and again. */
export function WorkList({ shown }: { readonly shown: WorkView }) {
  const t = useT()
  const attempt = useAttempt()
  const { rows, view, state } = shown
  const retried = rows.filter(({ retry }) => retry === 'jobs' || retry === 'mails')
  async function retry(these: readonly WorkRow[]) {
    const [first] = these
    if (!first?.retry) return
    const done = await attempt.run(() =>
      first.retry === 'notices_out'
        ? callConsole('system/notices_out/replay', { id: first.id })
        : callConsole(`system/${first.retry}/retry`, {
            ids: these.slice(0, AT_ONCE).map(({ id }) => id),
          }),
    )
    if (done) refreshPage()
  }
  return (
    <section className="panel flush" aria-label={t(`console.system.view.${view}`)}>
      <div className="panel-h">
        <nav className="row" aria-label={t('console.orders.state')}>
          {state !== null &&
            STATES.map((one) => (
              <a
                key={one}
                className={one === state ? 'chip on' : 'chip'}
                aria-current={one === state ? 'page' : undefined}
                href={`${CONSOLE_PATH}/system?view=${view}&state=${one}`}
              >
                {t(`console.system.state.${one}`)}
              </a>
            ))}
        </nav>
        {retried.length > 1 && (
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() => void retry(retried)}
          >
            {t('console.system.retryAll', { count: retried.length })}
          </button>
        )}
      </div>
      <Fault text={attempt.fault} />
      {rows.length === 0 ? (
        <div className="empty line-t">
          <h2>{t('console.system.none')}</h2>
          <p>{t(`console.system.none.${view}`)}</p>
        </div>
      ) : (
        <Rows rows={rows} isBusy={attempt.isBusy} retry={(row) => void retry([row])} />
      )}
      <Pager next={shown.next} />
    </section>
  )
}

function Rows({
  rows,
  isBusy,
  retry,
}: {
  readonly rows: readonly WorkRow[]
  readonly isBusy: boolean
  readonly retry: (row: WorkRow) => void
}) {
  const t = useT()
  return (
    <div className="scrollx line-t" tabIndex={0}>
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.system.what')}</th>
            <th>{t('console.system.why')}</th>
            <th>{t('console.orders.state')}</th>
            <th className="c2 num">{t('console.system.tries')}</th>
            <th className="num">{t('console.orders.age')}</th>
            <th>
              <span className="sr">{t('console.system.acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="t">
                <bdi>{row.title}</bdi>
              </td>
              <td className="m small">
                <bdi>{row.about}</bdi>
              </td>
              <td className="s">
                <State look={row.look} text={row.state} />
              </td>
              <td className="c2 num">{row.tries}</td>
              <td className="num a">{row.at}</td>
              <td className="end">
                {row.retry !== null && (
                  <button
                    type="button"
                    className="btn edge sm"
                    disabled={isBusy}
                    onClick={() => retry(row)}
                  >
                    {t('console.system.retry')}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
