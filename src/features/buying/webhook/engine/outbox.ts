import type { Ctx } from '#platform/ctx.ts'
import type { TakenDelivery } from '../commands.ts'
import type { Outcome } from '../rules.ts'

/** Something to be told, as it is sent. */
export interface Message extends Pick<TakenDelivery, 'id' | 'attempts'> {
  readonly url: string
  readonly secret: string
  readonly body: string
}

/** What there is to tell, endpoint by endpoint. */
export interface Outbox {
  /** Endpoints that are told something at once. */
  readonly places: number
  readonly listDue: (ctx: Ctx, busy: readonly string[], limit: number) => Promise<string[]>
  readonly take: (ctx: Ctx, endpoint: string) => Promise<Message | null>
  readonly record: (ctx: Ctx, message: Message, outcome: Outcome) => Promise<void>
}

/** What it says is a hint: how the order stands is asked for by a call. */
export function changeNotice({
  publicId,
  createdAt,
  reference,
  order,
  orderNumber,
  status,
}: Pick<
  TakenDelivery,
  'publicId' | 'createdAt' | 'reference' | 'order' | 'orderNumber' | 'status'
>) {
  return {
    id: publicId,
    type: 'order.changed',
    created: createdAt.toISOString(),
    data: { reference, order, order_no: orderNumber, status },
  }
}
