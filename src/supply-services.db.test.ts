import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { removeSupplier, saveSupplier } from '#features/office/supplier-service/flows.ts'
import { actingAs, createFirstOwner, type OperatorCtx } from '#features/team/operator/commands.ts'
import { readConfig, type Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { supplyEnvironment } from '#providers/supply/offered.ts'
import { useDatabase } from '../test/support/database.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../test/support/supply-sandbox.ts'
import { followSuppliers, type FollowedSuppliers } from './supply-services.ts'

const TAKEN_UP = { timeout: 5_000, interval: 20 }
const database = useDatabase()
let ctx: Ctx
let mara: OperatorCtx
let sandbox: RunningSupplySandbox
let config: Config
let processes: readonly FollowedSuppliers[]

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  mara = actingAs(
    ctx,
    await createFirstOwner(ctx, { name: 'mara', password: 'correct horse battery' }),
  )
  sandbox = await startSupplySandbox()
  config = readConfig({ DEMO: '0', SEAGM_API_URL: sandbox.originOf('seagm') })
  processes = [
    await followSuppliers(config, ctx, database.url),
    await followSuppliers(config, ctx, database.url),
  ]
})
afterAll(async () => {
  for (const each of processes) await each.close()
  await sandbox.stop()
})

const taken = (isThere: boolean) =>
  vi.waitFor(
    () =>
      expect(processes.map(({ suppliers }) => suppliers.has('seagm'))).toEqual([isThere, isThere]),
    TAKEN_UP,
  )

test('every process takes a supplier up, changed and taken away, within five seconds', async () => {
  const environment = supplyEnvironment(config)
  let changes = 0
  processes[0]?.onChange(() => (changes += 1))
  const save = (uid: string, version: number) =>
    saveSupplier(mara, environment, {
      code: 'seagm',
      version,
      values: { SEAGM_UID: uid, SEAGM_SECRET: SANDBOX_SECRET, SEAGM_ENVIRONMENT: 'sandbox' },
      isAlthoughRefused: true,
    })
  await taken(false)
  await save('sandbox', 0)
  await taken(true)
  const first = processes[1]?.suppliers.get('seagm')
  expect(await first?.balances()).toHaveLength(1)
  const known = await ctx.db.selectFrom('supplier').select('code').execute()
  expect(known).toEqual([{ code: 'seagm' }])

  await save('another', 1)
  await vi.waitFor(() => expect(processes[1]?.suppliers.get('seagm')).not.toBe(first), TAKEN_UP)
  await removeSupplier(mara, environment, { code: 'seagm', version: 2 })
  await taken(false)
  expect(changes).toBe(3)
})
