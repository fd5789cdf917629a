import type { MessageKey } from '#platform/i18n/keys.ts'
import type { PersonalPageContext } from '../page.ts'

/** A filter of the orders as a link. */
export interface OrderFilter {
  readonly text: string
  readonly path: string
  readonly current?: true
}

/** The list of orders (specification §4, "Order list filters"). Nothing can be bought yet, so it is empty. */
export interface OrderData {
  readonly states: readonly OrderFilter[]
  readonly kinds: readonly OrderFilter[]
  readonly isFiltered: boolean
}

const STATES: readonly (readonly [value: string, text: MessageKey])[] = [
  ['', 'user.orderAll'], ['pending', 'user.orderPending'], ['completed', 'user.orderCompleted'], ['after-sales', 'user.orderAfterSales'],
]
const KINDS: readonly (readonly [value: string, text: MessageKey])[] = [['card', 'user.orderGameCard'], ['direct', 'user.orderDirect']]

export function orderData({ query, t }: PersonalPageContext): OrderData {
  const state = known(STATES, query.get('status'))
  const kind = known(KINDS, query.get('kind'))
  return {
    states: STATES.map(([value, text]) => ({ text: t(text), path: address(value, kind), ...(value === state ? { current: true as const } : {}) })),
    // Pressing the chosen kind again takes it away.
    kinds: KINDS.map(([value, text]) => ({ text: t(text), path: address(state, value === kind ? '' : value), ...(value === kind ? { current: true as const } : {}) })),
    isFiltered: state !== '' || kind !== '',
  }
}

function known(values: typeof STATES, asked: string | null): string {
  return values.find(([value]) => value === asked)?.[0] ?? ''
}

function address(status: string, kind: string): string {
  const query = new URLSearchParams({ ...(status === '' ? {} : { status }), ...(kind === '' ? {} : { kind }) }).toString()
  return query === '' ? '/user/order' : `/user/order?${query}`
}
