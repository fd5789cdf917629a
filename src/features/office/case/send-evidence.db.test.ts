import { sql } from 'kysely'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { checkPayment, startPaying } from '#features/buying/payment/flows.ts'
import { drawReceipt } from '#features/buying/receipt/engine/draw.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { present } from '#kernel/assert.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { secret } from '#platform/secret.ts'
import { createPaypalProvider } from '#providers/payment/paypal/paypal.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import { createStripeProvider } from '#providers/payment/stripe/stripe.ts'
import { openPaypalSandbox } from '#sandbox/paypal/service.ts'
import { openStripeSandbox } from '#sandbox/stripe/service.ts'
import {
  addCurrencies,
  addItem,
  buy,
  stock,
  violations,
  type TestItem,
} from '../../../../test/support/buying.ts'
import { minutesLater } from '../../../../test/support/clock.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { createFakePayments } from '../../../../test/support/fake-payment.ts'
import { firstOwner, hire } from '../../../../test/support/operators.ts'
import { refused } from '../../../../test/support/people.ts'
import { previewEvidence, sendEvidence } from './flows.ts'
import { findEvidence } from './queries.ts'

const database = useDatabase()
let owner: OperatorCtx
let item: TestItem
const writer = {
  language: 'de' as const,
  t: translatorOf('de'),
  timeZone: 'UTC',
  shop: 'Lukado',
  seller: ['Lukado Ltd'],
  draw: drawReceipt,
}

beforeAll(async () => {
  const { ctx } = database
  await addCurrencies(ctx)
  item = await addItem(ctx)
  await stock(ctx, item, 'V', 20)
  owner = await firstOwner(ctx)
})
afterEach(async () => expect(await violations(database.ctx)).toEqual([]))

/** A service whose payers' banks a test decides for. */
interface Service {
  readonly provider: PaymentProvider
  readonly act: (reference: string, what: 'pay' | 'dispute' | 'win_dispute') => void
  readonly loseAnswer: () => void
  /** What was said to each dispute of the payment. */
  readonly said: (reference: string) => Promise<readonly string[]>
}

async function stripe(): Promise<Service> {
  const sandbox = await openStripeSandbox({
    port: 0,
    secretKey: 'rk_test_1',
    webhookSecret: 'whsec_1',
    webhookUrl: null,
  })
  onTestFinished(sandbox.close)
  const ask = async (path: string) =>
    (await (
      await fetch(`${sandbox.origin}${path}`, {
        headers: { authorization: 'Bearer rk_test_1', 'stripe-version': '2026-10-28.endive' },
      })
    ).json()) as { data: { evidence: { uncategorized_text: string | null } }[] }
  return {
    provider: createStripeProvider({
      secretKey: secret('rk_test_1'),
      webhookSecrets: [secret('whsec_1')],
      baseUrl: sandbox.origin,
    }),
    act: (reference, what) => sandbox.act(reference, what),
    loseAnswer: () => sandbox.fail(/^POST \/v1\/disputes/, 'lost_answer'),
    said: async () =>
      (await ask('/v1/disputes')).data.flatMap(({ evidence }) => evidence.uncategorized_text ?? []),
  }
}

async function paypal(): Promise<Service> {
  const sandbox = await openPaypalSandbox({
    port: 0,
    clientId: 'client',
    clientSecret: 'the secret',
    webhookId: 'WEBHOOK1',
    webhookUrl: null,
  })
  onTestFinished(sandbox.close)
  const sent: string[] = []
  const provider = createPaypalProvider({
    clientId: 'client',
    clientSecret: secret('the secret'),
    webhookId: 'WEBHOOK1',
    environment: 'sandbox',
    baseUrl: sandbox.origin,
    now: () => minutesLater(database.ctx, 20).now(),
  })
  return {
    provider,
    act: (reference, what) => sandbox.act(reference, what === 'pay' ? 'approve' : what),
    loseAnswer: () => sandbox.fail(/^POST \/v1\/customer\/disputes/, 'lost_answer'),
    said: async () => {
      const token = await fetch(`${sandbox.origin}/v1/oauth2/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from('client:the secret').toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
      const { access_token: bearer } = (await token.json()) as { access_token: string }
      const ask = async (path: string) =>
        (
          await fetch(`${sandbox.origin}${path}`, {
            headers: { authorization: `Bearer ${bearer}` },
          })
        ).json() as Promise<{
          items?: { dispute_id: string }[]
          evidences?: { notes: string }[]
        }>
      const span = `update_time_after=${new Date(0).toISOString()}&update_time_before=${new Date(Date.now() + 86_400_000).toISOString()}`
      const { items = [] } = await ask(`/v1/customer/disputes?${span}`)
      for (const { dispute_id: id } of items)
        sent.push(
          ...((await ask(`/v1/customer/disputes/${id}`)).evidences ?? []).map(({ notes }) => notes),
        )
      return sent.splice(0)
    },
  }
}

/** An order whose payment is disputed: its case, and the service. */
async function disputed(service: Service) {
  const { ctx } = database
  const { provider, act } = service
  const providers = new Map([[provider.code, provider]])
  const services = { providers, publicUrl: 'https://shop.example' }
  const order = await buy(ctx, [{ item }])
  await startPaying(ctx, services, {
    order: order.publicId,
    accountId: order.accountId,
    provider: provider.code,
    method: 'card',
    feeMinor: 0n,
  })
  const attempt = await ctx.db
    .selectFrom('payment_attempt')
    .select(['id', 'provider_reference'])
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  const reference = attempt.provider_reference ?? ''
  act(reference, 'pay')
  await checkPayment(ctx, services, attempt.id)
  act(reference, 'dispute')
  await checkPayment(minutesLater(ctx, 20), services, attempt.id)
  const found = await ctx.db
    .selectFrom('service_case')
    .select('public_id')
    .where('order_id', '=', order.id)
    .where('kind', '=', 'dispute')
    .executeTakeFirst()
  return { order, reference, providers, id: present(found, 'dispute').public_id }
}

const trailOf = async (id: string) =>
  (
    await database.ctx.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_code', '=', id)
      .orderBy('at')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

const SERVICES = [
  ['Stripe', stripe],
  ['PayPal', paypal],
] as const

test.each(SERVICES)(
  '%s: what is shown goes to the provider, in English, once, and stands in the trail',
  async (_, open) => {
    const service = await open()
    const { order, reference, providers, id } = await disputed(service)
    const { provider, text } = await previewEvidence(owner, writer, providers, id)
    expect(provider).toBe(service.provider.code)
    expect(text).toContain(order.number)
    expect(text).toContain('Customer')
    expect(text).not.toMatch(/VVVV|V0{3}/)
    expect(await service.said(reference)).toEqual([])
    expect(await findEvidence(database.ctx.db, id)).toBeNull()

    expect(await sendEvidence(owner, writer, providers, id)).toEqual({ state: 'sent' })
    const [said, ...more] = await service.said(reference)
    expect(said).toContain(text)
    expect(more).toEqual([])
    expect(await findEvidence(database.ctx.db, id)).toMatchObject({
      state: 'sent',
      provider: service.provider.code,
      askedBy: 'operator:mara',
    })
    expect((await refused(sendEvidence(owner, writer, providers, id))).code).toBe('order_closed')
    expect(await trailOf(id)).toEqual(
      expect.arrayContaining(['case_seen', 'case_exported', 'evidence_begun', 'evidence_sent']),
    )
  },
)

test.each(SERVICES)('%s: sent again after an answer was lost, it arrives once', async (_, open) => {
  const service = await open()
  const { reference, providers, id } = await disputed(service)
  service.loseAnswer()
  expect((await refused(sendEvidence(owner, writer, providers, id))).code).toBe(
    'payment_unreachable',
  )
  expect(await findEvidence(database.ctx.db, id)).toMatchObject({ state: 'sending' })
  expect(await sendEvidence(owner, writer, providers, id)).toEqual({ state: 'sent' })
  expect(await service.said(reference)).toHaveLength(1)
  const { rows } = await sql<{ state: string }>`
    select e.state from dispute_evidence e join service_case c on c.id = e.case_id where c.public_id = ${id}`.execute(
    database.ctx.db,
  )
  expect(rows).toEqual([{ state: 'sent' }])
})

test.each(SERVICES)('%s: a bank that has decided takes none, which is told', async (_, open) => {
  const service = await open()
  const { reference, providers, id } = await disputed(service)
  service.act(reference, 'win_dispute')
  expect(await sendEvidence(owner, writer, providers, id)).toMatchObject({ state: 'refused' })
  expect(await service.said(reference)).toEqual([])
  expect(await findEvidence(database.ctx.db, id)).toMatchObject({
    state: 'refused',
    failure: 'no dispute takes evidence',
  })
})

test('who may not decide sends none, and none goes where a provider takes it in its dashboard alone', async () => {
  const service = await stripe()
  const { providers, id } = await disputed(service)
  const reader = await hire(owner, 'read-only')
  expect((await refused(sendEvidence(reader, writer, providers, id))).code).toBe('forbidden')
  const { provider } = createFakePayments('stripe')
  const without = new Map([['stripe', provider]])
  expect((await refused(sendEvidence(owner, writer, without, id))).code).toBe('order_closed')
  expect(await findEvidence(database.ctx.db, id)).toBeNull()
})
