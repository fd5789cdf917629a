import { useState } from 'react'
import { newActKey } from '../browser/act-key.ts'
import { callConsole, readConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { useT } from '../words.tsx'

interface Failure {
  readonly number: string
  readonly why: string
}

interface Progress {
  readonly done: number
  readonly count: number
  readonly failures: readonly Failure[]
}

/** The same done to several orders, one after the other: each is looked at anew, and what could not be done says why. */
export function Several({
  chosen,
  acts,
  forget,
}: {
  readonly chosen: readonly string[]
  readonly acts: readonly ('cancel' | 'requeue')[]
  readonly forget: () => void
}) {
  const t = useT()
  const [progress, setProgress] = useState<Progress | null>(null)
  const isBusy = progress !== null && progress.done < progress.count
  if (chosen.length === 0 && progress === null) return null
  async function run(act: 'cancel' | 'requeue') {
    const failures: Failure[] = []
    for (const [done, number] of chosen.entries()) {
      setProgress({ done, count: chosen.length, failures })
      const why = await actOn(number, act, t('console.acts.waits')).catch(() =>
        t('console.unreachable'),
      )
      if (why !== null) failures.push({ number, why })
    }
    setProgress({ done: chosen.length, count: chosen.length, failures })
    forget()
    refreshPage()
  }
  return (
    <section className="panel stack-2" aria-live="polite">
      {progress === null ? (
        <div className="row wrapx">
          <b>{t('console.orders.selected', { count: chosen.length })}</b>
          {acts.map((act) => (
            <button key={act} type="button" className="btn edge sm" onClick={() => void run(act)}>
              {t(`console.acts.name.${act}`)}
            </button>
          ))}
        </div>
      ) : (
        <>
          <progress max={progress.count} value={progress.done} />
          <p>
            {t('console.orders.progress', {
              done: progress.done - progress.failures.length,
              count: progress.count,
            })}
          </p>
          <ul className="stack-2">
            {progress.failures.map(({ number, why }) => (
              <li key={number}>
                <bdi className="oid">{number}</bdi> <span className="down">{why}</span>
              </li>
            ))}
          </ul>
          {!isBusy && (
            <button type="button" className="btn ghost sm" onClick={() => setProgress(null)}>
              {t('console.acts.close')}
            </button>
          )}
        </>
      )}
    </section>
  )
}

/** @returns why it is not done, as it may wait for a second person; null where it is */
async function actOn(
  order: string,
  act: 'cancel' | 'requeue',
  waits: string,
): Promise<string | null> {
  const told = await readConsole<{ readonly version: string }>('orders/preview', { order, act })
  if (!told.isDone) return told.message
  const key = newActKey()
  const { version } = told.data
  const done = await callConsole<{ readonly waits?: string | null }>(`orders/${act}`, {
    order,
    version,
    key,
  })
  if (!done.isDone) return done.message
  return done.data.waits ? waits : null
}
