import { ORDER_COLUMNS, type OrderColumn } from '#features/office/desk/rules.ts'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { OrdersData } from './load.ts'

/** Which columns are shown, kept for whoever chooses them. */
export function Columns({ columns }: Pick<OrdersData, 'columns'>) {
  const t = useT()
  const attempt = useAttempt()
  async function choose(column: OrderColumn, box: HTMLInputElement) {
    const chosen = ORDER_COLUMNS.filter((one) =>
      one === column ? box.checked : columns.includes(one),
    )
    if (await attempt.run(() => callConsole('orders/columns', { columns: chosen }))) refreshPage()
    else box.checked = !box.checked
  }
  return (
    <details>
      <summary className="btn ghost sm">
        <Icon name="gear" />
        {t('console.orders.columns')}
      </summary>
      <div className="bar-f">
        {ORDER_COLUMNS.map((column) => (
          <label key={column} className="check">
            <input
              type="checkbox"
              defaultChecked={columns.includes(column)}
              autoComplete="off"
              onChange={(event) => void choose(column, event.target)}
            />
            <span>{t(`console.orders.${column}`)}</span>
          </label>
        ))}
        <Fault text={attempt.fault} />
      </div>
    </details>
  )
}
