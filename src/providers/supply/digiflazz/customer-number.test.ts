import { expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { createDigiflazzSupplier } from './digiflazz.ts'

/** What a purchase goes out with; null where it does not go out. */
async function numberOf(fields: Record<string, string>): Promise<unknown> {
  let sent: unknown = null
  const supplier = createDigiflazzSupplier({
    username: 'shop',
    apiKey: secret('key'),
    webhookSecret: null,
    isTest: true,
    baseUrl: 'https://supplier.example',
    client: ({ body }) => {
      sent = (body as { customer_no: string }).customer_no
      return Promise.resolve({ kind: 'broken', why: 'nobody is there' })
    },
    now: () => new Date(0),
  })
  const outcome = await supplier.purchase({
    kind: 'topup',
    product: 'sku',
    quantity: 1,
    face: null,
    fields,
    reference: 'ref-1',
    maxCost: null,
    token: null,
    buyerAddress: null,
  })
  if (sent === null) expect(outcome).toMatchObject({ kind: 'failed', class: 'stock' })
  return sent
}

test.each([
  [{ phone: '+6281234567890', country: 'ID' }, '081234567890'],
  [{ live_id: 'sunny' }, 'sunny'],
  // As the database keeps them, and the other way round.
  [{ user_id: '123', zone_id: '456' }, '123456'],
  [{ zone_id: '456', user_id: '123' }, '123456'],
])('the customer number of %j is %s', async (fields, number) => {
  expect(await numberOf(fields)).toBe(number)
})

test.each([[{ server: 'asia', character_name: 'Stranger' }], [{ riot_id: 'Sunny#NA1' }]])(
  'what has no known spelling there is left to another supplier: %j',
  async (fields) => {
    expect(await numberOf(fields)).toBeNull()
  },
)
