import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import { hookSignature } from '#providers/supply/hook/api.ts'
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
  between: (url: string) => Promise<string> = async (url) => url,
): Promise<readonly Finding[]> {
  const sandbox = await startSupplySandbox()
  onTestFinished(() => sandbox.stop())
  const url = await between(`${sandbox.originOf('hook')}/supply`)
  const client = openHookClient(WAIT_MS * 4, true)
  const provider = createHookSupplier({ url, secret: secret(key), client, now: () => new Date() })
  const extension = openExtension(url, secret(key), client, 'supply')
  return tryRules(supplyRules(extension, provider, buying), () => {})
}

type Fault = 'hang' | 'html' | 'gigabyte' | 'unsigned' | 'other_reference' | 'other_id' | 'price'

/** Stands before a supplier that keeps the contract, and breaks it in one way. */
const faulty = (fault: Fault) => async (url: string) => {
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const call = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
    if (fault === 'hang') return
    if (fault === 'html') return void res.end('<h1>Goods</h1>')
    if (fault === 'gigabyte') return void res.end(`"${'x'.repeat(8 * 1024 * 1024)}"`)
    if (fault === 'price' && call['action'] === 'purchase') call['max_cost'] = null
    const body = JSON.stringify(call)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const isOwn = fault === 'unsigned' || (fault === 'price' && call['action'] === 'purchase')
    const key = secret(SANDBOX_SECRET)
    const answer = await fetch(url, {
      method: 'POST',
      headers: isOwn
        ? { 'supply-timestamp': timestamp, 'supply-signature': hookSignature(key, timestamp, body) }
        : {
            'supply-timestamp': String(req.headers['supply-timestamp']),
            'supply-signature': String(req.headers['supply-signature']),
          },
      body,
    })
    const told = (await answer.json()) as Record<string, unknown>
    if (fault === 'other_reference' && told['reference']) told['reference'] = 'another'
    if (fault === 'other_id' && told['id']) told['id'] = `id-${Math.random()}`
    res.writeHead(answer.status).end(JSON.stringify(told))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test.each([
  ['hang', '`catalogue` is answered'],
  ['html', '`catalogue` is answered'],
  ['gigabyte', '`catalogue` is answered'],
  ['unsigned', 'signed with another secret'],
  ['other_reference', '`lookup` of a reference'],
  ['other_id', 'sent again buys nothing more'],
  ['price', 'would cost more than'],
] as const)(
  'a supplier that breaks the contract (%s) is found out at its place',
  async (fault, at) => {
    const broken = ended(await supplier(SANDBOX_SECRET, BUYING, faulty(fault)), 'broken')
    expect(broken[0]).toContain(at)
  },
)

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
