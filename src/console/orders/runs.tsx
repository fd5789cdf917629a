import { useEffect, useState } from 'react'
import { callConsole, readQuietly } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { OrdersData } from './load.ts'

type Run = OrdersData['runs'][number]

const LOOK_MS = 1_000
const isOpen = ({ state }: Run) => state === 'waiting' || state === 'running'

/** What was asked for several orders: how far it has come, and which could not be done and why. */
export function Runs({ runs: given }: Pick<OrdersData, 'runs'>) {
  const [runs, show] = useState(given)
  useEffect(() => show(given), [given])
  const goesOn = runs.some(isOpen)
  useEffect(() => {
    if (!goesOn) return
    const timer = setInterval(() => {
      void readQuietly<readonly Run[]>('orders/several/list').then((now) => {
        if (!now) return
        show(now)
        // The list below is another one by now.
        if (!now.some(isOpen)) refreshPage()
      })
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [goesOn])
  return runs.map((run) => <OneRun key={run.id} run={run} />)
}

function OneRun({ run }: { readonly run: Run }) {
  const t = useT()
  const attempt = useAttempt()
  const { id, act, count, done, failures } = run
  const goesOn = isOpen(run)
  async function end(path: string) {
    if (await attempt.run(() => callConsole(`orders/several/${path}`, { id }))) refreshPage()
  }
  return (
    <section className="panel stack-2" aria-live="polite">
      <div className="row wrapx">
        <b>{t(`console.acts.name.${act}`)}</b>
        <span>{t('console.orders.progress', { done, count })}</span>
        {run.state === 'cancelled' && (
          <span className="st gone">{t('console.orders.severalEnded')}</span>
        )}
        <button
          type="button"
          className="btn ghost sm"
          disabled={attempt.isBusy}
          onClick={() => void end(goesOn ? 'cancel' : 'dismiss')}
        >
          {t(goesOn ? 'console.cancel' : 'console.acts.close')}
        </button>
      </div>
      {goesOn && (
        <progress
          max={count}
          value={done + failures.length}
          aria-label={t(`console.acts.name.${act}`)}
        />
      )}
      {failures.length > 0 && (
        <ul className="stack-2">
          {failures.map(({ order, text }) => (
            <li key={order}>
              <OrderLink number={order} /> <span className="down">{text}</span>
            </li>
          ))}
        </ul>
      )}
      <Fault text={attempt.fault} />
    </section>
  )
}
