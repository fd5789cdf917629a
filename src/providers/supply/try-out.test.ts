import { afterAll, beforeAll, expect, test } from 'vitest'
import { wrapped } from '#platform/service-settings.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../test/support/supply-sandbox.ts'
import { SUPPLY_SERVICES } from './services.ts'
import { trySupplier } from './try-out.ts'
import { SupplyUnavailable } from './provider.ts'

let sandbox: RunningSupplySandbox
beforeAll(async () => {
  sandbox = await startSupplySandbox()
})
afterAll(() => sandbox.stop())

const now = () => new Date()
const OTHER = 'another-secret-that-is-as-long-as-theirs'

test.each(SUPPLY_SERVICES)('$code takes its own settings and refuses others', async (service) => {
  const own = service.sandbox(sandbox.originOf(service.code), SANDBOX_SECRET)
  expect(await service.tryOut(wrapped(own), now)).toEqual({
    answer: 'good',
    why: null,
    balances: [{ minor: expect.any(BigInt), currency: expect.any(String) }],
  })
  const wrong = Object.entries(own).map(([name, value]) => [
    name,
    value.replace(SANDBOX_SECRET, OTHER),
  ])
  const refused = await service.tryOut(wrapped(Object.fromEntries(wrong)), now)
  expect(refused).toMatchObject({ answer: 'refused', balances: [] })
  expect(refused.why).toMatch(/^HTTP \d{3}$/)
})

test('who asks nobody, or cannot be reached, says nothing', async () => {
  const silent = { balances: async () => [] }
  expect(await trySupplier(silent)).toEqual({ answer: 'unknown', why: null, balances: [] })
  const down = {
    balances: async () => {
      throw new SupplyUnavailable('nobody answers')
    },
  }
  expect(await trySupplier(down)).toMatchObject({ answer: 'unknown' })
})
