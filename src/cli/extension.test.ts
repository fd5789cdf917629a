import { onTestFinished, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import { createHookSupplier } from '#providers/supply/hook/hook.ts'
import { LIES, type Lie } from '#sandbox/payment-hook/lies.ts'
import { openPaymentHookSandbox } from '#sandbox/payment-hook/service.ts'
import { SANDBOX_SECRET, startSupplySandbox } from '../../test/support/supply-sandbox.ts'
import { paymentRules } from './extension/payment-rules.ts'
import { openExtension, tryRules, type Finding } from './extension/rules.ts'
import { supplyRules, type Buying } from './extension/supply-rules.ts'

const SECRET = 'of the owner and their shop alone, for payments'
const WAIT_MS = 400

async function payment(
  lie: Lie | null,
  more: { readonly isTwoStep?: boolean; readonly isTest?: boolean } = {},
): Promise<readonly Finding[]> {
  const sandbox = await openPaymentHookSandbox({
    port: 0,
    secret: SECRET,
    webhookUrl: null,
    lie,
    ...more,
  })
  onTestFinished(sandbox.close)
  const extension = openExtension(
    sandbox.url,
    secret(SECRET),
    openHookClient(WAIT_MS, true),
    'payment',
  )
  return tryRules(paymentRules(extension, [sandbox.origin]), () => {})
}

const ended = (findings: readonly Finding[], end: Finding['end']) =>
  findings.filter((each) => each.end === end).map(({ rule, why }) => `${rule} ${why ?? ''}`)

test.each([true, false])(
  'a payment service that keeps the contract breaks no rule, and each is tried (two steps: %s)',
  async (isTwoStep) => {
    const findings = await payment(null, { isTwoStep })
    expect(ended(findings, 'broken')).toEqual([])
    expect(ended(findings, 'not_tried')).toEqual([])
    expect(findings.length).toBeGreaterThan(20)
  },
)

test('where money is real nobody is asked to pay, and that is told', async () => {
  const findings = await payment(null, { isTest: false })
  expect(ended(findings, 'broken')).toEqual([])
  expect(ended(findings, 'not_tried')[0]).toContain('it says that money is real')
})

/** The rule at which each fault is told first. */
const TOLD_AT: Readonly<Record<Lie, string>> = {
  unsigned: 'signed with another secret',
  old: 'signed ten minutes ago',
  twice: 'sent again gives the same payment',
  amount: '`begin` makes',
  currency: '`begin` makes',
  other_id: '`state` tells',
  other_reference: '`begin` makes',
  more_captured: 'is `approved` or `captured`',
  backwards: 'is `approved` or `captured`',
  script: '`begin` makes',
  inside: '`begin` makes',
  elsewhere: '`begin` makes',
  more_members: '`begin` makes',
  html: '`offer` is answered',
  gigabyte: '`offer` is answered',
  hang: '`offer` is answered',
  refund_twice: 'A refund is made once',
  endless_list: '`list` has',
}

test.each(LIES)('a payment service that lies (%s) is found out at its place', async (lie) => {
  const broken = ended(await payment(lie), 'broken')
  expect(broken[0]).toContain(TOLD_AT[lie])
})

async function supplier(
  key: string,
  buying: Buying | null,
  proxy: (url: string) => string = (url) => url,
): Promise<readonly Finding[]> {
  const sandbox = await startSupplySandbox()
  onTestFinished(() => sandbox.stop())
  const url = proxy(`${sandbox.originOf('hook')}/supply`)
  const client = openHookClient(WAIT_MS * 10, true)
  const provider = createHookSupplier({ url, secret: secret(key), client, now: () => new Date() })
  const extension = openExtension(url, secret(key), client, 'supply')
  return tryRules(supplyRules(extension, provider, buying), () => {})
}

const BUYING = { product: 'game:17live:jp:100', fields: { live_id: 'sunny9001' } }

test('a supplier that keeps the contract breaks no rule', async () => {
  const findings = await supplier(SANDBOX_SECRET, BUYING)
  expect(ended(findings, 'broken')).toEqual([])
  expect(ended(findings, 'not_tried')).toEqual([])
})

test('a supplier sells nothing where no product is named', async () => {
  const findings = await supplier(SANDBOX_SECRET, null)
  expect(ended(findings, 'broken')).toEqual([])
  expect(ended(findings, 'not_tried')).toHaveLength(5)
})

test('with another secret nothing of it can be read, which is told at the first rule', async () => {
  const findings = await supplier('another secret that is long enough to be one', BUYING)
  expect(ended(findings, 'broken')[0]).toContain('`catalogue` is answered')
})
