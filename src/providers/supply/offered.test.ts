import { expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { offeredSuppliers } from './offered.ts'
import { SUPPLY_SERVICES } from './services.ts'

const now = () => new Date()
const SEAGM = { SEAGM_UID: '1', SEAGM_SECRET: 'a secret of theirs' }
const SHARED = { SANDBOX_SUPPLY_SECRET: 'a-secret-that-is-shared-by-both-of-them' }

test('a shop buys from those whose settings are there', async () => {
  const config = readConfig({ DEMO: '0', ...SEAGM })
  expect([...(await offeredSuppliers(config, now)).keys()]).toEqual(['seagm'])
})

test('a demo buys from its own alone, whatever is set', async () => {
  const ports = SUPPLY_SERVICES.map(({ code }, at) => `supply-${code}:${4_000 + at}`).join(',')
  const without = readConfig({ DEMO: '1', ...SEAGM })
  const config = readConfig({ DEMO: '1', SANDBOX_PORTS: ports, ...SHARED })
  expect([...(await offeredSuppliers(without, now)).keys()]).toEqual([])
  expect([...(await offeredSuppliers(config, now)).keys()]).toEqual(
    SUPPLY_SERVICES.map(({ code }) => code),
  )
})

test('a supplier given in part is told of, and no value with it', () => {
  expect(() => readConfig({ DEMO: '0', SEAGM_UID: '1' })).toThrow(
    'SEAGM_UID needs SEAGM_SECRET beside it.',
  )
  expect(() => readConfig({ DEMO: '0', ...SEAGM, SEAGM_API_URL: 'http://inside.example' })).toThrow(
    /^SEAGM_API_URL must be an https address with nothing after its host, or http on this machine\.$/,
  )
})
