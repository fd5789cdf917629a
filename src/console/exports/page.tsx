import { useEffect, useId, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { ExportsData } from './load.ts'

const LOOKED_EVERY_MS = 2_000

/** Files of orders, units, movements and taxes: asked for here, made by the worker, kept a week. */
export function Page({ data }: { readonly data: ExportsData }) {
  const t = useT()
  useEffect(() => {
    if (!data.isWorking) return
    const timer = setInterval(refreshPage, LOOKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [data.isWorking])
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.exports.nav')}</h1>
          <p>{t('console.exports.lead')}</p>
        </div>
      </div>
      <Ask data={data} />
      <section className="panel flush" aria-live="polite">
        {data.runs.length === 0 ? (
          <div className="empty">
            <h2>{t('console.exports.none')}</h2>
            <p>{t('console.exports.noneText')}</p>
          </div>
        ) : (
          <Runs runs={data.runs} />
        )}
      </section>
    </>
  )
}

function Ask({ data: { kinds, formats, today } }: { readonly data: ExportsData }) {
  const t = useT()
  const id = useId()
  const attempt = useAttempt()
  const [asked, setAsked] = useState({
    kind: 'orders' as (typeof kinds)[number],
    format: 'xlsx' as (typeof formats)[number],
    from: `${today.slice(0, 7)}-01`,
    until: today,
  })
  return (
    <form
      className="panel stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt
          .run(() => callConsole('exports/make', asked))
          .then((done) => done && refreshPage())
      }}
    >
      <div className="row wrapx">
        <Choice
          label={t('console.exports.kind')}
          value={asked.kind}
          options={kinds.map((kind) => ({ value: kind, text: t(`console.exports.kind.${kind}`) }))}
          choose={(kind) => setAsked({ ...asked, kind: kind as (typeof kinds)[number] })}
        />
        <Choice
          label={t('console.exports.format')}
          value={asked.format}
          options={formats.map((format) => ({
            value: format,
            text: format.toUpperCase(),
          }))}
          choose={(format) => setAsked({ ...asked, format: format as (typeof formats)[number] })}
        />
        {(['from', 'until'] as const).map((edge) => (
          <Labelled
            key={edge}
            id={`${id}-${edge}`}
            label={t(`console.exports.${edge}`)}
            fault={attempt.fields[edge]}
          >
            <input
              className="input"
              id={`${id}-${edge}`}
              type="date"
              required
              value={asked[edge]}
              onChange={(event) => setAsked({ ...asked, [edge]: event.target.value })}
            />
          </Labelled>
        ))}
      </div>
      <Fault text={attempt.fault} />
      <div className="row">
        <button type="submit" className="btn solid" disabled={attempt.isBusy}>
          {t('console.exports.make')}
        </button>
      </div>
    </form>
  )
}

function Runs({ runs }: Pick<ExportsData, 'runs'>) {
  const t = useT()
  const attempt = useAttempt()
  return (
    <>
      <ul className="inbox">
        {runs.map((run) => (
          <li key={run.id} className="row between wrapx">
            <span>
              <b>{t(`console.exports.kind.${run.kind}`)}</b> <bdi className="num">{run.span}</bdi>{' '}
              <State look={run.look} text={t(`console.exports.state.${run.state}`)} />
              <br />
              <small>
                {run.format.toUpperCase()} · {t('console.exports.rows', { rows: run.rows })} ·{' '}
                <bdi>{run.by}</bdi>, {run.at}
              </small>
              {run.isTooLong && <small> {t('console.exports.tooLong')}</small>}
              {run.failure !== null && (
                <small lang="en" dir="ltr">
                  {' '}
                  {run.failure}
                </small>
              )}
            </span>
            {run.state === 'done' && (
              <a className="btn edge sm" href={`/api/console/exports/file?id=${run.id}`} download>
                {t('console.exports.take')}
              </a>
            )}
            {(run.state === 'waiting' || run.state === 'running') && (
              <button
                type="button"
                className="btn edge sm"
                disabled={attempt.isBusy}
                onClick={() =>
                  void attempt
                    .run(() => callConsole('exports/cancel', { id: run.id }))
                    .then((done) => done && refreshPage())
                }
              >
                {t('console.exports.cancel')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Fault text={attempt.fault} />
    </>
  )
}
