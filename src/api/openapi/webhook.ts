import type { Operation } from './document.ts'
import { OPEN, shared } from './operation.ts'

/** Below /api; who is called there is a payment service, not a shopper. */
export const WEBHOOK_PATH = 'webhook/{provider}'

/** How payment services tell the shop that something has happened: in the contract, so that whoever runs a proxy lets it through. */
export function webhookOperation(): Operation {
  return {
    operationId: 'webhook',
    tags: ['webhook'],
    summary: 'What a payment service tells the shop',
    description:
      'For payment services alone. The body is as the service sends it, and its signature is looked at; nothing it says is believed, the shop asks the service itself. No envelope, and no language: a service that is answered anything but 204 sends its notice again.',
    parameters: [
      {
        name: 'provider',
        in: 'path',
        required: true,
        description: 'One that the shop is set up with',
        schema: { type: 'string', examples: ['stripe'] },
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', description: 'Up to 256 KB, byte for byte as it was signed' },
          example: { id: 'evt_1', type: 'checkout.session.completed' },
        },
      },
    },
    security: OPEN,
    responses: {
      204: { description: 'Stored; it need not come again' },
      400: { description: 'The signature is not that of the service, or the notice is not whole' },
      404: shared('NotFound'),
      405: shared('MethodNotAllowed'),
      413: shared('TooLarge'),
      429: shared('TooManyRequests'),
      503: { description: 'It could not be stored; `Retry-After` says when to send it again' },
    },
  }
}
