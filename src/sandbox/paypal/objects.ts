import { sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Capture, Order } from './books.ts'
import { SIGNING_KEY } from './certificate.ts'

type Json = Readonly<Record<string, unknown>>

export function orderObject(order: Order, origin: string): Json {
  const self = `${origin}/v2/checkout/orders/${order.id}`
  const { capture } = order
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    create_time: order.created.toISOString(),
    update_time: order.updated.toISOString(),
    purchase_units: [
      {
        reference_id: 'default',
        description: order.description,
        amount: order.amount,
        ...(capture
          ? {
              payments: {
                captures: [captureObject(order, capture, origin)],
                refunds: refundObjects(capture, origin),
              },
            }
          : { custom_id: order.customId }),
      },
    ],
    links: [
      { rel: 'self', method: 'GET', href: self },
      ...(order.status === 'PAYER_ACTION_REQUIRED'
        ? [{ rel: 'payer-action', method: 'GET', href: `${origin}/checkoutnow?token=${order.id}` }]
        : []),
      ...(order.status === 'APPROVED'
        ? [{ rel: 'capture', method: 'POST', href: `${self}/capture` }]
        : []),
    ],
  }
}

export function captureObject(order: Order, capture: Capture, origin: string): Json {
  return {
    id: capture.id,
    status: capture.status,
    amount: capture.amount,
    custom_id: order.customId,
    final_capture: true,
    create_time: capture.created.toISOString(),
    ...(capture.status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    supplementary_data: { related_ids: { order_id: order.id } },
    links: [
      { rel: 'self', method: 'GET', href: `${origin}/v2/payments/captures/${capture.id}` },
      {
        rel: 'refund',
        method: 'POST',
        href: `${origin}/v2/payments/captures/${capture.id}/refund`,
      },
      { rel: 'up', method: 'GET', href: `${origin}/v2/checkout/orders/${order.id}` },
    ],
  }
}

export function refundObjects(capture: Capture, origin: string): Json[] {
  return capture.refunds.map(({ id, amount, customId, status }) => ({
    id,
    amount,
    ...(customId === null ? {} : { custom_id: customId }),
    status,
    links: [
      { rel: 'self', method: 'GET', href: `${origin}/v2/payments/refunds/${id}` },
      { rel: 'up', method: 'GET', href: `${origin}/v2/payments/captures/${capture.id}` },
    ],
  }))
}

/** The list has no outcome; the dispute by itself has. */
export function disputeObjects({ id: captureId, disputes }: Capture, isWhole: boolean): Json[] {
  return disputes.map(({ id, amount, outcome, notes }) => ({
    dispute_id: id,
    status:
      outcome !== null
        ? 'RESOLVED'
        : notes === null
          ? 'WAITING_FOR_SELLER_RESPONSE'
          : 'UNDER_REVIEW',
    dispute_amount: amount,
    reason: 'UNAUTHORISED',
    ...(isWhole && notes !== null
      ? { evidences: [{ evidence_type: 'OTHER', notes, source: 'SUBMITTED_BY_SELLER' }] }
      : {}),
    ...(isWhole ? { disputed_transactions: [{ seller_transaction_id: captureId }] } : {}),
    ...(isWhole && outcome !== null
      ? {
          dispute_outcome: {
            outcome_code: outcome,
            ...(outcome === 'RESOLVED_BUYER_FAVOUR' ? { amount_refunded: amount } : {}),
          },
        }
      : {}),
  }))
}

/** What a notice is about: an order, a capture, a refund below its capture, or a dispute over a capture. */
export function resourceOf(type: string, order: Order, origin: string): Json {
  const { capture } = order
  if (!capture || type.startsWith('CHECKOUT.')) return orderObject(order, origin)
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type === 'PAYMENT.CAPTURE.REVERSED') {
    return (
      refundObjects(capture, origin).at(-1) ?? {
        id: `${capture.id}R`,
        links: [{ rel: 'up', href: `${origin}/v2/payments/captures/${capture.id}` }],
      }
    )
  }
  if (type.includes('DISPUTE'))
    return {
      ...disputeObjects(capture, true).at(-1),
      disputed_transactions: [{ seller_transaction_id: capture.id, custom: order.customId }],
    }
  return captureObject(order, capture, origin)
}

/** As PayPal signs: the moment, the webhook, and the checksum of the body. */
export function signatureOf(
  transmission: string,
  time: string,
  webhookId: string,
  body: string,
): string {
  const signed = `${transmission}|${time}|${webhookId}|${crc32(body)}`
  return sign('RSA-SHA256', Buffer.from(signed), SIGNING_KEY).toString('base64')
}
