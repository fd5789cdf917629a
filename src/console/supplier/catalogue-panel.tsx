import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CatalogueView, RunView } from './catalogue.ts'
import { Listings } from './listings.tsx'

const EVERY = ['900', '3600', '21600', '86400', '604800'] as const

/** What a supplier lists: read by the worker, and what of it waits for somebody. */
export function Catalogue({
  code,
  shown,
}: {
  readonly code: string
  readonly shown: CatalogueView
}) {
  return (
    <>
      <Sync code={code} shown={shown} />
      <Listings key={shown.list} code={code} shown={shown} />
    </>
  )
}

function Sync({ code, shown }: { readonly code: string; readonly shown: CatalogueView }) {
  const t = useT()
  const attempt = useAttempt()
  const [isAsked, setAsked] = useState(false)
  const mayStart = shown.mayProduct && shown.mayPrice
  const start = (body: Readonly<Record<string, unknown>>) =>
    void attempt
      .run(() => callConsole('suppliers/sync/start', { supplier: code, ...body }))
      .then((done) => {
        if (!done) return
        setAsked(true)
        setTimeout(refreshPage, LOOK_MS)
      })
  return (
    <section className="panel stack-2" aria-labelledby="sync">
      <div className="row between wrapx">
        <h2 id="sync">{t('console.supplier.sync')}</h2>
        {mayStart && (
          <span className="row wrapx">
            <button
              type="button"
              className="btn edge"
              disabled={attempt.isBusy}
              onClick={() => start({ is_dry: true })}
            >
              {t('console.supplier.dryRun')}
            </button>
            <button
              type="button"
              className="btn solid"
              disabled={attempt.isBusy}
              onClick={() => start({ is_dry: false })}
            >
              {t('console.supplier.syncNow')}
            </button>
          </span>
        )}
      </div>
      <p role="status" className={isAsked ? 'note ok' : 'sr'}>
        {isAsked && t('console.supplier.syncAsked')}
      </p>
      <Fault text={attempt.fault} />
      {mayStart && <Schedule code={code} shown={shown} />}
      {shown.runs.length === 0 ? (
        <p className="hint">{t('console.supplier.noRuns')}</p>
      ) : (
        <ul className="stack-2">
          {shown.runs.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The worker begins within a second or two; a short list is read by then. */
const LOOK_MS = 4_000
const MARKS = { done: 'done', failed: 'fail', refused: 'fail', lost: 'gone' } as const

function Run({ run }: { readonly run: RunView }) {
  const t = useT()
  return (
    <li>
      <details open={run.outcome === null}>
        <summary>
          <span className={`st ${run.outcome === null ? 'way' : MARKS[run.outcome]}`}>
            {t(`console.supplier.run.${run.outcome ?? 'running'}`)}
          </span>{' '}
          {run.at} · <bdi>{run.by}</bdi>{' '}
          {run.isDry && <span className="badge">{t('console.supplier.dryRun')}</span>}
          {run.outcome === null && t('console.supplier.read', { count: String(run.read) })}
        </summary>
        {run.error !== null && (
          <p className="note bad" lang="en" dir="ltr">
            {run.error}
          </p>
        )}
        <dl className="dl">
          {run.counts.map(({ name, count }) => (
            <div key={name} className="row between">
              <dt>{t(`console.supplier.count.${name as 'listed'}`)}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
        {run.lines.length > 0 && (
          <ul className="small">
            {run.lines.map(({ product, why }) => (
              <li key={`${product} ${why}`}>
                <bdi className="mono">{product}</bdi>:{' '}
                {t(`console.supplier.line.${why as 'unread'}`)}
              </li>
            ))}
          </ul>
        )}
      </details>
    </li>
  )
}

function Schedule({ code, shown }: { readonly code: string; readonly shown: CatalogueView }) {
  const t = useT()
  const attempt = useAttempt()
  const own = shown.everySeconds === null ? 'off' : String(shown.everySeconds)
  const known: readonly string[] = EVERY
  const values = ['off', ...EVERY, ...(own === 'off' || known.includes(own) ? [] : [own])]
  return (
    <>
      <Choice
        label={t('console.supplier.every')}
        hint={shown.next === null ? undefined : t('console.supplier.nextRun', { at: shown.next })}
        value={own}
        options={values.map((value) => ({
          value,
          text:
            value === 'off'
              ? t('console.supplier.never')
              : t('console.supplier.everyHours', { count: Number(value) / 3_600 }),
        }))}
        choose={(value) =>
          void attempt
            .run(() =>
              callConsole('suppliers/sync/schedule', {
                supplier: code,
                every_seconds: value === 'off' ? null : Number(value),
              }),
            )
            .then((done) => done && refreshPage())
        }
      />
      <Fault text={attempt.fault} />
    </>
  )
}
