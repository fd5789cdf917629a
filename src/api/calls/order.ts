import { z } from 'zod'
import { takeShare } from '#features/base/limit/commands.ts'
import { openCase, withdrawCase } from '#features/buying/after-sales/commands.ts'
import { CASE_REASONS, CASE_TEXT_MAX } from '#features/buying/after-sales/rules.ts'
import { makeReceipt } from '#features/buying/receipt/flows.ts'
import { isOrderNumber, normaliseOrderNumber } from '#features/buying/order/engine/order-number.ts'
import {
  listedOrderShape,
  orderIdShape,
  orderProgressShape,
  orderShape,
} from '#features/buying/order/view/shapes.ts'
import { checkOrder, getOrderView, listOrderViews } from '#features/buying/order/views.ts'
import { cancelUnpaid } from '#features/buying/payment/flows.ts'
import type { OrderFilter } from '#features/buying/order/rules.ts'
import { uploadTicketPicture } from '#features/goods/upload/flows.ts'
import { makeInvoice } from '#features/buying/sales-invoice/flows.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { PUBLIC_ID } from '#kernel/public-id.ts'
import { siteOf } from '#platform/http/visitor.ts'
import { orderParameter, pagedShape, pagingOf, personalPaging } from '../parameters.ts'
import { personalCall, type SignedInCaller } from '../personal/call.ts'
import { readerOf } from '../personal/reader.ts'

const STATUS_FILTERS = {
  all: 'all',
  unpaid: 'pending_payment',
  pending: 'pending_shipment',
  completed: 'completed',
  'after-sales': 'after_sales',
} as const satisfies Record<string, OrderFilter>
const KIND_FILTERS = { card: 'game_card', direct: 'direct_charging' } as const satisfies Record<
  string,
  OrderFilter
>
const namesOf = <Name extends string>(filters: Readonly<Record<Name, OrderFilter>>) =>
  Object.keys(filters) as [Name, ...Name[]]

const orderBody = z.strictObject({ order: orderIdShape })
const orderQuery = z.object({ order: orderParameter })

export const orderIndex = personalCall({
  path: 'order/index',
  method: 'GET',
  summary: 'List orders',
  description: 'Newest first. State and kind go together.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({
    status: z.enum(namesOf(STATUS_FILTERS)).optional().catch(undefined).meta({
      description:
        'Unpaid; paid and not delivered; completed; with a refund, a request or a dispute',
    }),
    kind: z
      .enum(namesOf(KIND_FILTERS))
      .optional()
      .catch(undefined)
      .meta({ description: 'With cards and keys, or with direct charges' }),
    ...personalPaging,
  }),
  data: pagedShape(listedOrderShape).meta({ id: 'OrderPage' }),
  example: { status: 'completed', kind: 'card', page: 1, limit: 20 },
  answer: (caller, { status = 'all', kind, ...body }) =>
    listOrderViews(caller.ctx.db, readerOf(caller), caller.person.accountId, {
      status: STATUS_FILTERS[status],
      kind: kind === undefined ? 'all' : KIND_FILTERS[kind],
      ...pagingOf(body),
    }),
})

export const orderDetail = personalCall({
  path: 'order/detail',
  method: 'GET',
  summary: 'Read an order',
  description:
    'With its goods, units and history. Keys are not in it: they are read with cardpwd/reveal.',
  access: 'signed-in',
  limit: 'read',
  body: orderQuery,
  data: orderShape,
  example: { order: 'pZ1xqk0bRk2v8k4y6c9w1A' },
  answer: (caller, { order }) => orderOf(caller, order),
})

export const orderCancel = personalCall({
  path: 'order/cancel',
  method: 'POST',
  summary: 'Cancel an unpaid order',
  description:
    'A payment that is open is ended at its provider first; what has arrived of one that was paid in part goes back to where it came from. One that is cancelled stays so. Code 2423: money has come, or is on its way, or the order is over; 2436: the provider does not answer, try again.',
  access: 'signed-in',
  limit: 'write',
  body: orderBody,
  data: orderShape,
  example: { order: 'pZ1xqk0bRk2v8k4y6c9w1A' },
  answer: async (caller, { order }) => {
    await cancelUnpaid(caller.ctx, caller.services.payments, caller.person.accountId, order)
    return orderOf(caller, order)
  },
})

const UNITS_MAX = 5_000
const UNIT_ID_MAX = 100

export const orderRefundRequest = personalCall({
  path: 'order/refund_request',
  method: 'POST',
  summary: 'Ask for money back',
  description:
    'For the units named, or all that can be given back. The shop decides; until then nothing more of the order is delivered. A code that was shown is given back only where it does not ' +
    'work. Codes: 2423 nothing of it can be given back, 2433 a request is open. JSON, or a form with the picture itself in `image`.',
  access: 'signed-in',
  limit: 'costly',
  bodyTypes: ['application/json', 'multipart/form-data'],
  body: z.strictObject({
    order: orderIdShape,
    units: z
      .union([
        z.array(z.string().max(UNIT_ID_MAX)).max(UNITS_MAX),
        z.string().max(UNITS_MAX * UNIT_ID_MAX),
      ])
      .optional()
      .meta({
        description: 'Ids of units; in a form, separated by commas',
        examples: [['bY7tq1m4Qk2Zr8v0c6w9xA']],
      }),
    reason: z.enum(CASE_REASONS),
    text: z
      .string()
      .trim()
      .max(CASE_TEXT_MAX)
      .default('')
      .meta({
        description: "What is wrong, in the buyer's words",
        examples: ['The shop says the code was used in May.'],
      }),
    picture: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Id that upload/image {purpose: "ticket"} gave' }),
    image: z.instanceof(Uint8Array).optional().meta({ type: 'string', format: 'binary' }),
    to: z
      .enum(['original', 'store_credit'])
      .default('original')
      .meta({ description: 'Back to where it was paid from, or as store credit' }),
  }),
  data: orderShape,
  example: {
    order: 'pZ1xqk0bRk2v8k4y6c9w1A',
    reason: 'code_invalid',
    text: 'The shop says the code was used in May.',
    to: 'store_credit',
  },
  answer: async (caller, { order, units, reason, text, picture = '', image, to }) => {
    const { ctx, person, services } = caller
    if (text === '' && reason === 'other') throw fieldError('text', 'required')
    const sent =
      image && image.length > 0
        ? await uploadTicketPicture(ctx, person.accountId, image, services.readUpload)
        : picture === ''
          ? null
          : picture
    const chosen =
      typeof units === 'string' ? units.split(',').filter((unit) => unit !== '') : units
    await openCase(ctx, person.accountId, {
      kind: 'refund_request',
      order,
      units: chosen ?? null,
      reason,
      text,
      picture: sent,
      destination: to,
    })
    return orderOf(caller, order)
  },
})

export const orderWithdrawRequest = personalCall({
  path: 'order/withdraw_request',
  method: 'POST',
  summary: 'Take a refund request back',
  description: 'The order goes on where it was. Code 2423: no request is open.',
  access: 'signed-in',
  limit: 'write',
  body: orderBody,
  data: orderShape,
  example: { order: 'pZ1xqk0bRk2v8k4y6c9w1A' },
  answer: async (caller, { order }) => {
    await withdrawCase(caller.ctx, caller.person.accountId, order)
    return orderOf(caller, order)
  },
})

/** Enough for a person with several orders, too little to try numbers or addresses. */
const CHECKS = { name: 'order_check', per: 3_600, burst: 20 } as const
const CHECKS_OF_SITE = { name: 'order_check_site', per: 3_600, burst: 80 } as const
/** Who knows a number may try addresses for it; an address is nobody's to block. */
const CHECKS_OF_ORDER = { name: 'order_check_order', per: 3_600, burst: 60 } as const

export const orderCheck = personalCall({
  path: 'order/check',
  method: 'POST',
  summary: 'See how far an order is, without signing in',
  description:
    'By its number and the e-mail address of the account that made it. Answers how far it is, never what was bought, or a key. A pair that does not fit is refused at `order_no`, whichever of both is wrong.',
  access: 'anyone',
  limit: 'sign-in',
  body: z.strictObject({
    order_no: z
      .string()
      .max(40)
      .meta({ description: 'Blanks and hyphens are ignored', examples: ['4821300947165'] }),
    email: z
      .string()
      .max(320)
      .meta({ examples: ['rizky@example.com'] }),
  }),
  data: orderProgressShape,
  example: { order_no: '4821300947165', email: 'rizky@example.com' },
  answer: async (caller, { order_no: typed, email }) => {
    const number = normaliseOrderNumber(typed)
    if (number === '' || email.trim() === '') {
      const fields = [
        ...(number === '' ? ['order_no'] : []),
        ...(email.trim() === '' ? ['email'] : []),
      ]
      throw new AppError(
        'check_fields',
        {},
        { fields: fields.map((field) => ({ field, reason: 'required' as const })) },
      )
    }
    // A number that no order can have is told without a look: its check digit is no secret.
    if (!isOrderNumber(number)) throw fieldError('order_no', 'order_unknown')
    const { network } = caller.visitor
    const site = siteOf(network)
    for (const wanted of [
      { ...CHECKS, key: `network ${network}` },
      ...(site === null ? [] : [{ ...CHECKS_OF_SITE, key: `site ${site}` }]),
      { ...CHECKS_OF_ORDER, key: `order ${number}` },
    ]) {
      const share = await takeShare(caller.ctx, wanted)
      if (!share.ok) throw new AppError('too_many_requests', { seconds: share.seconds })
    }
    const progress = await checkOrder(caller.ctx.db, readerOf(caller), { number, email })
    if (!progress) throw fieldError('order_no', 'order_unknown')
    return progress
  },
})

export const orderReceipt = personalCall({
  path: 'order/receipt',
  method: 'GET',
  summary: 'Download the receipt of a paid order',
  description: 'A PDF in the language of the order. Code 2423: it has not been paid.',
  access: 'signed-in',
  limit: 'costly',
  body: orderQuery,
  data: z
    .object({ name: z.string(), pdf: z.base64() })
    .meta({ description: 'Goes out as the file itself' }),
  example: { order: 'pZ1xqk0bRk2v8k4y6c9w1A' },
  answer: async (caller, { order }) => {
    const receipt = await makeReceipt(
      caller.ctx,
      {
        shop: caller.shop,
        timeZone: caller.services.timeZone,
        publicUrl: caller.services.publicUrl,
        drawReceipt: caller.services.drawReceipt,
      },
      caller.person,
      order,
    )
    return { name: receipt.name, pdf: receipt.content.toString('base64') }
  },
  file: { type: 'application/pdf', isOnly: true },
  asFile: ({ name, pdf }) => ({ name, body: Buffer.from(pdf, 'base64') }),
})

export const orderInvoice = personalCall({
  path: 'order/invoice',
  method: 'GET',
  summary: 'Download an invoice or credit note of an order',
  description:
    'A PDF in the language of the call. Shops that make invoices have one for each paid order, and a credit note for what was given back; the page of the order names them.',
  access: 'signed-in',
  limit: 'costly',
  body: z.object({
    invoice: z
      .string()
      .regex(PUBLIC_ID)
      .meta({ examples: ['pZ1xqk0bRk2v8k4y6c9w1A'] }),
  }),
  data: z
    .object({ name: z.string(), pdf: z.base64() })
    .meta({ description: 'Goes out as the file itself' }),
  example: { invoice: 'pZ1xqk0bRk2v8k4y6c9w1A' },
  answer: async (caller, { invoice }) => {
    const { name, content } = await makeInvoice(
      caller.ctx,
      {
        language: caller.language.code,
        timeZone: caller.services.timeZone,
        shopName: caller.shop.settings.name,
        drawReceipt: caller.services.drawReceipt,
        accountId: caller.person.accountId,
      },
      invoice,
    )
    return { name, pdf: content.toString('base64') }
  },
  file: { type: 'application/pdf', isOnly: true },
  asFile: ({ name, pdf }) => ({ name, body: Buffer.from(pdf, 'base64') }),
})

function orderOf(caller: SignedInCaller, order: string) {
  return getOrderView(caller.ctx.db, readerOf(caller), caller.person.accountId, order)
}
