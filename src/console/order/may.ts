import { isRefundable, type Hold, type OrderStatus } from '#features/buying/order/rules.ts'
import type { DeskSheet, DeskUnit } from '#features/office/desk/queries.ts'
import { mayDo, type Operator } from '#features/team/operator/rules.ts'

export type OrderActName =
  | 'refund'
  | 'return_money'
  | 'accept_money'
  | 'cancel'
  | 'release'
  | 'refuse'
  | 'requeue'
  | 'note'
  | 'send_mail'
export type UnitActName = 'replace' | 'doubt' | 'hand' | 'supplier' | 'deliver'

interface Facts {
  readonly status: OrderStatus
  readonly hold: Hold | null
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
}

/** What the role may do and the order allows. Whether it can be done in the end is for the call to say. */
export function actsOf(operator: Operator, order: Facts, desk: DeskSheet): readonly OrderActName[] {
  const may = (permission: Parameters<typeof mayDo>[1]) => mayDo(operator, permission)
  const holdsMoney = !desk.isSettled && order.capturedMinor > order.refundedMinor
  const isUnpaid = order.status === 'pending_payment' || order.status === 'waiting_for_payment'
  const waits = desk.units.some(({ waitsFor, held }) => waitsFor !== null && held === null)
  const all: Readonly<Record<OrderActName, boolean>> = {
    refund: may('order.refund') && desk.isSettled && desk.units.some(isRefundable),
    return_money: may('order.decide') && (holdsMoney || desk.isKeepable),
    accept_money: may('order.decide') && desk.isKeepable,
    cancel: may('order.decide') && isUnpaid,
    release: may('order.decide') && (order.hold === 'risk' || order.hold === 'late'),
    refuse: may('order.decide') && may('order.refund') && order.hold === 'risk',
    requeue: may('order.deliver') && (waits || order.hold === 'out_of_stock'),
    note: may('order.refund'),
    send_mail: may('order.refund') && desk.mails.length > 0,
  }
  return (Object.keys(all) as OrderActName[]).filter((act) => all[act])
}

export function unitActsOf(operator: Operator, unit: DeskUnit): readonly UnitActName[] {
  const may = (permission: Parameters<typeof mayDo>[1]) => mayDo(operator, permission)
  const isCode = unit.delivery === 'card_key' && unit.code !== null && !unit.isToOrder
  const isByHand = unit.delivery === 'direct_charge' && unit.waitsFor === null
  const all: Readonly<Record<UnitActName, boolean>> = {
    replace: may('order.refund') && unit.status === 'delivered' && isCode,
    doubt: may('order.deliver') && unit.status === 'in_doubt',
    hand: may('order.deliver') && unit.waitsFor !== null,
    supplier: may('order.decide') && unit.held !== null,
    deliver: may('order.deliver') && isByHand && ['queued', 'delivering'].includes(unit.status),
  }
  return (Object.keys(all) as UnitActName[]).filter((act) => all[act])
}
