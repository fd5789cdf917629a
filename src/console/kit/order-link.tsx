import { CONSOLE_PATH } from '../routes.ts'
import { groupedNumber } from './grouped-number.ts'

/** Leads to an order by its number. @param isRow where it stands for the row of a table */
export function OrderLink({
  number,
  isRow = false,
}: {
  readonly number: string
  readonly isRow?: boolean
}) {
  return (
    <a className={isRow ? 'go' : 'link'} href={`${CONSOLE_PATH}/orders/${number}`}>
      <bdi className="oid">{groupedNumber(number)}</bdi>
    </a>
  )
}
