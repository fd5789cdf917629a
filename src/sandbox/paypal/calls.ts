import { z } from 'zod'
import type { Asked, Reply } from '../wire.ts'
import {
  captureOrder,
  faultOfAmount,
  hundredths,
  newId,
  refundedOf,
  type Amount,
  type Order,
} from './books.ts'
import { captureObject, disputeObjects, orderObject, refundObjects } from './objects.ts'

/** Whose the app is; one without a name lacks the right to say more than the id. */
export interface Account {
  readonly id: string
  readonly name: string | null
}

export interface Shop {
  readonly origin: string
  /** Null for an app that may ask for nothing of its account. */
  account: Account | null
  readonly orders: Map<string, Order>
  readonly now: () => Date
  /** Tells the shop that something happened. */
  readonly emit: (type: string, order: Order) => void
}

const amount = z.strictObject({ currency_code: z.string(), value: z.string() })
const newOrder = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z.tuple([
    z.strictObject({
      reference_id: z.literal('default'),
      custom_id: z.string().min(1).max(127),
      description: z.string().max(127),
      amount,
    }),
  ]),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      experience_context: z.strictObject({
        return_url: z.url(),
        cancel_url: z.url(),
        user_action: z.enum(['CONTINUE', 'PAY_NOW']),
        shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']),
        payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']),
        locale: z
          .string()
          .regex(/^[a-z]{2}-[A-Z]{2}$/)
          .optional(),
      }),
    }),
  }),
})
const newRefund = z.strictObject({ amount, custom_id: z.string().min(1).max(127) })
const change = z.tuple([
  z.strictObject({
    op: z.literal('replace'),
    path: z.literal("/purchase_units/@reference_id=='default'/custom_id"),
    value: z.string().min(1).max(127),
  }),
])

/** One call of the API, its token checked already. */
export function answerCall(shop: Shop, { method, path, query, body }: Asked): Reply {
  const [, , area = '', kind = '', id = '', verb = ''] = path.split('/')
  const call = `${method} ${area}/${kind}${id === '' ? '' : '/:id'}${verb === '' ? '' : `/${verb}`}`
  const order = shop.orders.get(id)
  const captured = [...shop.orders.values()].find(({ capture }) => capture?.id === id)
  if (call === 'POST checkout/orders') return createOrder(shop, json(body))
  if (call === 'GET checkout/orders/:id')
    return order ? { status: 200, body: orderObject(order, shop.origin) } : missing()
  if (call === 'PATCH checkout/orders/:id')
    return order ? changeOrder(order, json(body)) : missing()
  if (call === 'POST checkout/orders/:id/capture') return order ? capture(shop, order) : missing()
  if (call === 'GET payments/captures/:id')
    return captured?.capture
      ? { status: 200, body: captureObject(captured, captured.capture, shop.origin) }
      : missing()
  if (call === 'POST payments/captures/:id/refund')
    return captured ? refund(shop, captured, json(body)) : missing()
  if (call === 'GET customer/disputes')
    return query.has('update_time_after')
      ? changedDisputes(shop, query)
      : disputes(shop, query.get('disputed_transaction_id') ?? '')
  if (call === 'GET customer/disputes/:id') return dispute(shop, id)
  if (call === 'POST customer/disputes/:id/provide-evidence') return provideEvidence(shop, id, body)
  if (call === 'GET reporting/transactions') return transactions(shop, query)
  if (call === 'GET reporting/balances') return balances(shop)
  if (call === 'GET identity/oauth2/:id' && id === 'userinfo') return identity(shop)
  return missing()
}

function identity(shop: Shop): Reply {
  const account = shop.account
  if (!account || account.name === null) return refused(403, 'PERMISSION_DENIED', 'NOT_AUTHORIZED')
  return {
    status: 200,
    body: {
      user_id: `https://www.paypal.com/webapps/auth/identity/user/${account.id}`,
      payer_id: account.id,
      name: account.name,
    },
  }
}

/** What was taken and not given back, by currency. */
function balances(shop: Shop): Reply {
  const account = shop.account
  if (!account) return refused(403, 'PERMISSION_DENIED', 'NOT_AUTHORIZED')
  const sums = new Map<string, bigint>()
  for (const { capture: taken } of shop.orders.values())
    if (taken) {
      const { currency_code: code, value } = taken.amount
      sums.set(code, (sums.get(code) ?? 0n) + hundredths(value) - refundedOf(taken))
    }
  const money = (code: string, minor: bigint) => ({
    currency_code: code,
    value: `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`,
  })
  return {
    status: 200,
    body: {
      account_id: account.id,
      as_of_time: shop.now().toISOString(),
      last_refresh_time: shop.now().toISOString(),
      balances: [...sums].map(([currency, minor]) => ({
        currency,
        total_balance: money(currency, minor),
        available_balance: money(currency, minor),
        withheld_balance: money(currency, 0n),
      })),
    },
  }
}

function createOrder(shop: Shop, body: unknown): Reply {
  const parsed = newOrder.safeParse(body)
  if (!parsed.success) return refused(400, 'INVALID_PARAMETER_VALUE')
  const {
    purchase_units: [unit],
    payment_source: {
      paypal: { experience_context: context },
    },
  } = parsed.data
  const fault = faultOfAmount(unit.amount)
  if (fault !== null) return refused(422, fault)
  const order: Order = {
    id: newId(),
    created: shop.now(),
    updated: shop.now(),
    amount: unit.amount,
    description: unit.description,
    returnUrl: context.return_url,
    cancelUrl: context.cancel_url,
    customId: unit.custom_id,
    status: 'PAYER_ACTION_REQUIRED',
    next: 'good',
    capture: null,
  }
  shop.orders.set(order.id, order)
  return { status: 200, body: orderObject(order, shop.origin) }
}

function changeOrder(order: Order, body: unknown): Reply {
  const parsed = change.safeParse(body)
  if (!parsed.success) return refused(400, 'INVALID_PATCH_OPERATION')
  if (order.status === 'COMPLETED') return refused(422, 'ORDER_ALREADY_COMPLETED')
  order.customId = parsed.data[0].value
  return { status: 204, body: '' }
}

function capture(shop: Shop, order: Order): Reply {
  const { issue, events } = captureOrder(order, shop.now())
  for (const type of events) shop.emit(type, order)
  return issue === null
    ? { status: 201, body: orderObject(order, shop.origin) }
    : refused(422, issue)
}

function refund(shop: Shop, order: Order, body: unknown): Reply {
  const parsed = newRefund.safeParse(body)
  const taken = order.capture
  if (!parsed.success || !taken) return refused(400, 'INVALID_PARAMETER_VALUE')
  const { amount: asked, custom_id: customId } = parsed.data
  const left = hundredths(taken.amount.value) - refundedOf(taken)
  const fault =
    faultOfAmount(asked) ??
    (taken.status === 'PENDING' || taken.status === 'DECLINED'
      ? 'CAPTURE_STATUS_NOT_VALID'
      : asked.currency_code !== taken.amount.currency_code
        ? 'CURRENCY_MISMATCH'
        : issueOf(left, asked))
  if (fault !== null) return refused(422, fault)
  taken.refunds.push({
    id: newId(),
    amount: asked,
    created: shop.now(),
    customId,
    status: 'COMPLETED',
  })
  taken.status = hundredths(asked.value) === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  shop.emit('PAYMENT.CAPTURE.REFUNDED', order)
  return { status: 201, body: refundObjects(taken, shop.origin).at(-1) }
}

function issueOf(left: bigint, { value }: Amount): string | null {
  return left === 0n
    ? 'CAPTURE_FULLY_REFUNDED'
    : hundredths(value) > left
      ? 'REFUND_AMOUNT_EXCEEDED'
      : null
}

function disputes(shop: Shop, captureId: string): Reply {
  const found = [...shop.orders.values()].find((order) => order.capture?.id === captureId)?.capture
  return { status: 200, body: { items: found ? disputeObjects(found, false) : [] } }
}

function changedDisputes(shop: Shop, query: URLSearchParams): Reply {
  const [since, until] = [
    Date.parse(query.get('update_time_after') ?? ''),
    Date.parse(query.get('update_time_before') ?? ''),
  ]
  const items = [...shop.orders.values()].flatMap(({ capture: taken }) =>
    taken
      ? disputeObjects(taken, false).filter((_, index) => {
          const at = taken.disputes[index]?.updated.getTime() ?? 0
          return at >= since && at < until
        })
      : [],
  )
  return { status: 200, body: { items, links: [] } }
}

function dispute(shop: Shop, id: string): Reply {
  const all = [...shop.orders.values()].flatMap((order) =>
    order.capture ? disputeObjects(order.capture, true) : [],
  )
  const found = all.find(({ dispute_id: known }) => known === id)
  return found ? { status: 200, body: found } : missing()
}

const evidenceInput = z.strictObject({
  evidences: z.tuple([
    z.strictObject({ evidence_type: z.literal('OTHER'), notes: z.string().min(1).max(2_000) }),
  ]),
})

/** One part of JSON in a form, as published. Once: what is under review takes no more. */
function provideEvidence(shop: Shop, id: string, body: string): Reply {
  const order = [...shop.orders.values()].find(({ capture: taken }) =>
    taken?.disputes.some((known) => known.id === id),
  )
  const known = order?.capture?.disputes.find((each) => each.id === id)
  if (!order || !known) return missing()
  const part = /name="input"\r\n(?:[^\r\n]+\r\n)*\r\n([^\r\n]+)\r\n--/.exec(body)?.[1] ?? ''
  const parsed = evidenceInput.safeParse(json(part))
  if (!parsed.success) return refused(400, 'INVALID_PARAMETER_VALUE')
  if (known.outcome !== null || known.notes !== null)
    return refused(422, 'ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
  known.notes = parsed.data.evidences[0].notes
  known.updated = shop.now()
  return { status: 200, body: { links: [] } }
}

function transactions(shop: Shop, query: URLSearchParams): Reply {
  const [since, until] = [
    Date.parse(query.get('start_date') ?? ''),
    Date.parse(query.get('end_date') ?? ''),
  ]
  if (!(until - since <= 31 * 24 * 3_600_000)) return refused(400, 'INVALID_REQUEST')
  const size = Number(query.get('page_size') ?? 100)
  const from = (Number(query.get('page') ?? 1) - 1) * size
  const found = [...shop.orders.values()]
    .flatMap(movementsOf)
    .filter(({ at }) => at.getTime() >= since && at.getTime() < until)
  const details = found.slice(from, from + size).map(({ info }) => ({ transaction_info: info }))
  return {
    status: 200,
    body: {
      transaction_details: details,
      page: from / size + 1,
      total_items: found.length,
      total_pages: Math.max(1, Math.ceil(found.length / size)),
    },
  }
}

/** A payment, and each refund of it, as the transaction search tells them. */
function movementsOf({ capture: taken, customId }: Order) {
  if (!taken) return []
  return [
    {
      at: taken.created,
      info: {
        transaction_id: taken.id,
        transaction_event_code: 'T0006',
        custom_field: customId,
      } as Readonly<Record<string, string>>,
    },
    ...taken.refunds.map(({ id, created }) => ({
      at: created,
      info: {
        transaction_id: id,
        transaction_event_code: 'T1107',
        paypal_reference_id: taken.id,
        paypal_reference_id_type: 'TXN',
      },
    })),
  ]
}

const missing = () => refused(404, 'INVALID_RESOURCE_ID', 'RESOURCE_NOT_FOUND')

export function refused(
  status: number,
  issue: string,
  name = status === 422 ? 'UNPROCESSABLE_ENTITY' : 'INVALID_REQUEST',
): Reply {
  return {
    status,
    body: {
      name,
      message: 'Refused',
      debug_id: newId(),
      details: [{ issue, description: 'Refused' }],
    },
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
