import { z } from 'zod'
import { orderIdShape } from '#features/buying/order/view/shapes.ts'
import { payOrder } from '#features/buying/payment/flows.ts'
import { findOpenAttempt, getPayable } from '#features/buying/payment/queries.ts'
import { methodsShape, payStatusShape } from '#features/buying/payment/view/shapes.ts'
import { getMethodsView, getPayStatus } from '#features/buying/payment/views.ts'
import { STORE_CREDIT } from '#features/goods/pay-method/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { orderParameter } from '../parameters.ts'
import { personalCall } from '../personal/call.ts'
import { readerOf } from '../personal/reader.ts'

const ORDER = 'pZ1xqk0bRk2v8k4y6c9w1A'

export const payMethods = personalCall({
  path: 'pay/methods',
  method: 'GET',
  summary: 'List the ways to pay an order',
  description:
    'With the fee of each and what is to be paid with it, in the currency of the order. A method that this order cannot be paid by is listed where the reason helps.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({ order: orderParameter }),
  data: methodsShape,
  example: { order: ORDER },
  answer: (caller, body) =>
    getMethodsView(
      caller.ctx.db,
      readerOf(caller),
      caller.services.payments.providers,
      caller.person.accountId,
      body.order,
    ),
})

export const payStart = personalCall({
  path: 'pay/start',
  method: 'POST',
  summary: 'Begin to pay an order',
  description: [
    'Reserves the goods and opens a payment at the provider of the method (by a slow one, as bank transfer, nothing is reserved: the goods are taken when the money has come); the fee is worked out here, and nothing about amounts is taken from the caller. With it the buyer agrees to',
    'the terms of sale and to delivery at once. The open payment of another method is ended first; the same method again gives the same way on.',
    'Over the `token` parameter paying with store credit needs a proof in the call.',
    'Refused with code 2423 when the order is over, 2421 when not enough is left (`data.lines: [{line, item}]` names what, by its place from 0 and its code), 2420 when the credit does not cover it, 2425 when the provider says no, 2439 when it was tried too often, 2436 when it does not answer: the order stays and may be paid otherwise, or later.',
  ].join(' '),
  access: 'own-hand',
  // The `token` of an address may begin to pay with the payer's own card, but not spend what the shop keeps for them.
  needsHand: ({ shop }, { method }) =>
    shop.payMethods.find(({ code }) => code === method)?.provider === STORE_CREDIT,
  limit: 'costly',
  body: z.strictObject({
    order: orderIdShape,
    method: z
      .string()
      .max(100)
      .meta({ description: 'A `code` of pay/methods', examples: ['card'] }),
    agree: z.boolean().optional().meta({
      description:
        'The box of the cashier: false is refused at this field, leaving it out is agreeing by the call itself',
    }),
  }),
  data: z
    .object({
      redirect_url: z.string().meta({
        description:
          'Where the payer goes on: an address of the provider, or a path of this shop without language prefix',
        examples: ['/order/pay?order=pZ1xqk0bRk2v8k4y6c9w1A'],
      }),
    })
    .meta({ id: 'StartedPayment' }),
  example: { order: ORDER, method: 'card' },
  answer: async ({ ctx, shop, person, services }, body) => {
    if (body.agree === false) throw fieldError('agree', 'required')
    return {
      redirect_url: ownOrOutside(
        await payOrder(ctx, services.payments, shop, {
          order: body.order,
          accountId: person.accountId,
          method: body.method,
        }),
        services.publicUrl,
      ),
    }
  },
})

export const payStatus = personalCall({
  path: 'pay/status',
  method: 'GET',
  summary: 'How the payment of an order stands',
  description:
    'Asks the provider, at most once in three seconds a payment, so that nothing depends on its notice.',
  access: 'signed-in',
  limit: 'read',
  body: z.object({ order: orderParameter }),
  data: payStatusShape,
  example: { order: ORDER },
  answer: async (caller, body) => {
    const { ctx, person, services } = caller
    const { id } = await getPayable(ctx.db, person.accountId, body.order)
    const open = await findOpenAttempt(ctx.db, id)
    if (open) await services.payments.ask(open.id)
    return getPayStatus(
      ctx.db,
      readerOf(caller),
      services.payments.providers,
      person.accountId,
      body.order,
    )
  },
})

/** Addresses of this shop go out as paths, so that the caller's language stays. */
function ownOrOutside(address: string, publicUrl: string): string {
  return address.startsWith(`${publicUrl}/order/`) ? address.slice(publicUrl.length) : address
}
