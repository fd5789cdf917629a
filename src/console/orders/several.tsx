import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { OrdersData } from './load.ts'

/** The same done to several orders: asked for here, done by the worker, whether the page stays open or not. */
export function Several({
  chosen,
  acts,
  forget,
}: Pick<OrdersData, 'acts'> & {
  readonly chosen: readonly string[]
  readonly forget: () => void
}) {
  const t = useT()
  const attempt = useAttempt()
  if (chosen.length === 0) return null
  async function ask(act: OrdersData['acts'][number]) {
    if (!(await attempt.run(() => callConsole('orders/several', { act, orders: chosen })))) return
    forget()
    refreshPage()
  }
  return (
    <section className="bulk" aria-live="polite">
      <div className="row wrapx">
        <b>{t('console.orders.selected', { count: chosen.length })}</b>
        {acts.map((act) => (
          <button
            key={act}
            type="button"
            className="btn sm"
            disabled={attempt.isBusy}
            onClick={() => void ask(act)}
          >
            {t(`console.acts.name.${act}`)}
          </button>
        ))}
        <button type="button" className="btn ghost sm" onClick={forget}>
          {t('console.orders.clear')}
        </button>
      </div>
      <p className="hint">{t('console.orders.severalText')}</p>
      <Fault text={attempt.fault} />
    </section>
  )
}
