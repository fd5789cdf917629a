import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { Views } from '../kit/views.tsx'
import { useT } from '../words.tsx'
import type { HealthView } from './health.ts'
import type { SystemData } from './load.ts'
import { SYSTEM_VIEWS } from './views.ts'
import { WorkList } from './work-list.tsx'

/** The machine: how its parts stand, what failed, what was told, and what the doctor found. */
export function Page({ data }: { readonly data: SystemData }) {
  const t = useT()
  const { shown } = data
  const attempt = useAttempt()
  const problems = shown.view === 'health' ? (shown.checks?.problems.length ?? 0) : 0
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.system.nav')}</h1>
          {shown.view === 'health' && <p>{t('console.system.lead', { count: problems })}</p>}
        </div>
        {shown.view === 'health' && (
          <div className="acts">
            <button
              type="button"
              className="btn edge"
              disabled={attempt.isBusy}
              onClick={() =>
                void attempt.run(async () => {
                  const outcome = await callConsole('system/checks/run')
                  // The worker begins within two seconds.
                  if (outcome.isDone) setTimeout(refreshPage, CHECKS_SHOWN_MS)
                  return outcome
                })
              }
            >
              {t('console.system.run')}
            </button>
          </div>
        )}
      </div>
      <Fault text={attempt.fault} />
      <Views
        views={SYSTEM_VIEWS.map((name) => ({
          name,
          text: t(`console.system.view.${name}`),
          count: data.counts[name] || null,
          isUrgent: name === 'jobs',
        }))}
        current={shown.view}
        address={(view) => `/system?view=${view}`}
      />
      {shown.view === 'health' ? (
        <Health shown={shown} />
      ) : (
        <WorkList key={shown.view} shown={shown} />
      )}
    </>
  )
}

const CHECKS_SHOWN_MS = 6_000

function Health({ shown }: { readonly shown: HealthView }) {
  const t = useT()
  return (
    <>
      <section className="panel flush">
        <div className="scrollx">
          <table className="fold">
            <thead>
              <tr>
                <th>{t('console.system.part')}</th>
                <th>{t('console.orders.state')}</th>
                <th>{t('console.system.now')}</th>
                <th>{t('console.system.version')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.parts.map((part) => (
                <tr key={part.id}>
                  <td className="t">
                    <b>{part.name}</b>
                  </td>
                  <td className="s">
                    <State look={part.look} text={part.state} />
                  </td>
                  <td className="m">{part.now}</td>
                  <td className="mono small a">
                    <bdi>{part.version}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <Checks checks={shown.checks} />
    </>
  )
}

function Checks({ checks }: { readonly checks: HealthView['checks'] }) {
  const t = useT()
  if (checks === null)
    return (
      <section className="panel empty">
        <h2>{t('console.system.checks')}</h2>
        <p>{t('console.system.noChecks')}</p>
      </section>
    )
  const found = [
    ...checks.problems.map((one) => ({ ...one, className: 'late' })),
    ...checks.work.map((one) => ({ ...one, className: 'soon' })),
  ]
  return (
    <section className="panel flush" aria-labelledby="checks">
      <div className="panel-h">
        <h2 id="checks">{t('console.system.checks')}</h2>
        <p>{checks.lookedAt}</p>
      </div>
      <ul className="todo said line-t">
        {found.map(({ id, name, advice, text, className }) => (
          <li key={`${className} ${id}`} className={className}>
            <Icon name={className === 'late' ? 'alert' : 'info'} />
            <div>
              <b>{name}</b>
              {advice !== null && <p className="small">{advice}</p>}
              {/* What exactly was found is said as on the machine, for whoever looks after it. */}
              <p className="mono tiny muted" lang="en" dir="ltr">
                {text}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <details className="foot-l">
        <summary className="link small">
          {t('console.system.fine', { count: checks.fine.length })}
        </summary>
        <ul className="stack-2 small">
          {checks.fine.map(({ id, name, text }) => (
            <li key={id}>
              <b>{name}</b>{' '}
              <bdi lang="en" dir="ltr">
                {text}
              </bdi>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
