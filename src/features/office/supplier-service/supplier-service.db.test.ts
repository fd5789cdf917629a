import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { approveAct, refuseAct } from '#features/office/approval/commands.ts'
import {
  actingAs,
  createFirstOwner,
  createOperator,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import type { OperatorRole } from '#features/team/operator/rules.ts'
import { readConfig, type Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { createKeys } from '#platform/keys.ts'
import { offeredSuppliers, supplyEnvironment } from '#providers/supply/offered.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { refused } from '../../../../test/support/people.ts'
import {
  SANDBOX_SECRET,
  startSupplySandbox,
  type RunningSupplySandbox,
} from '../../../../test/support/supply-sandbox.ts'
import { removeSupplier, saveSupplier, trySupplierSettings } from './flows.ts'
import { listShown, readSuppliers } from './queries.ts'

const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000
const VALUES = {
  SEAGM_UID: 'sandbox',
  SEAGM_SECRET: SANDBOX_SECRET,
  SEAGM_ENVIRONMENT: 'sandbox',
}
const database = useDatabase()
let ctx: Ctx
let mara: OperatorCtx
let sandbox: RunningSupplySandbox
let config: Config

beforeAll(async () => {
  ctx = { ...database.ctx, keys: createKeys(Buffer.alloc(32, 9)) }
  mara = actingAs(ctx, await createFirstOwner(ctx, { name: 'mara', password: PASSWORD }))
  sandbox = await startSupplySandbox()
  config = readConfig({ DEMO: '0', SEAGM_API_URL: sandbox.originOf('seagm') })
})
afterAll(() => sandbox.stop())
beforeEach(async () => {
  await sql`delete from supplier_service`.execute(ctx.db)
  await sql`delete from supplier_service_draft`.execute(ctx.db)
})

const environment = () => supplyEnvironment(config)
const given = (values: Readonly<Record<string, string>>, version = 0) => ({
  code: 'seagm',
  values,
  version,
})
const save = (
  who: OperatorCtx,
  values: Readonly<Record<string, string>>,
  version = 0,
  isAlthoughRefused = false,
) => saveSupplier(who, environment(), { ...given(values, version), isAlthoughRefused })
const shown = async () =>
  (await listShown(ctx.db, ctx.keys, environment())).find(({ code }) => code === 'seagm')

/** Somebody whose account nobody else of the team made, long enough ago. */
async function colleague(name: string, role: OperatorRole): Promise<OperatorCtx> {
  const operator = await createOperator(mara, { name, role, password: PASSWORD })
  await sql`update operator set created_by = null, password_set_by = null, created_at = ${new Date(Date.now() - 48 * HOUR_MS)},
    password_set_at = ${new Date(Date.now() - 48 * HOUR_MS)} where id = ${operator.id}`.execute(
    ctx.db,
  )
  return actingAs(ctx, operator)
}

/** A purchase that is being asked about; of no order, as nothing here looks at one. */
const underWay = () =>
  ctx.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into purchase (id, reference, supplier, order_id, item, kind, product, quantity, currency, expected_minor, max_minor, why, next_ask_at, request_id, created_at, updated_at)
      values (gen_random_uuid(), 'under-way', 'seagm', gen_random_uuid(), gen_random_uuid(), 'topup', 'x', 1, 'USD', 1, 1, '{}', now(), 'test', now(), now())`.execute(
      tx,
    )
  })

test('settings are tried with the supplier, kept sealed, and never shown again', async () => {
  const effect = await trySupplierSettings(mara, environment(), given(VALUES))
  expect(effect).toMatchObject({
    tried: { answer: 'good', balances: [{ minor: 5_000_000n }] },
    changed: Object.keys(VALUES),
    mode: 'test',
    accounts: { before: null, after: 'sandbox' },
    mayBeOther: false,
    open: 0,
    needsAnother: false,
  })
  expect(await save(mara, VALUES)).toMatchObject({ waits: null })
  const { rows } = await sql<{
    text: string
  }>`select s::text as text from supplier_service s union all select a::text from audit_log a`.execute(
    ctx.db,
  )
  expect(rows.map(({ text }) => text).join()).not.toContain(SANDBOX_SECRET)
  expect(await shown()).toMatchObject({
    source: 'entered',
    version: 1,
    tried: 'good',
    account: 'sandbox',
    mode: 'test',
    settings: [
      { name: 'SEAGM_UID', kind: 'id', isSet: true, shown: null },
      { name: 'SEAGM_SECRET', kind: 'secret', isSet: true, shown: null },
      { name: 'SEAGM_ENVIRONMENT', kind: 'choice', isSet: true, shown: 'sandbox' },
    ],
  })
  const { entered } = await readSuppliers(ctx.db, ctx.keys, environment())
  const suppliers = await offeredSuppliers(config, ctx.now, entered)
  expect(await suppliers.get('seagm')?.balances()).toHaveLength(1)
})

test('what the supplier refuses is kept only where that is said, and an address is entered nowhere', async () => {
  const wrong = { ...VALUES, SEAGM_SECRET: 'another secret' }
  expect(await trySupplierSettings(mara, environment(), given(wrong))).toMatchObject({
    tried: { answer: 'refused', balances: [] },
  })
  expect((await refused(save(mara, wrong))).fields).toEqual({ although_refused: 'refused_there' })
  expect(await save(mara, wrong, 0, true)).toMatchObject({ tried: { answer: 'refused' } })
  const address = { SEAGM_API_URL: 'https://elsewhere.example' }
  expect((await refused(save(mara, address, 1))).fields).toEqual({
    SEAGM_API_URL: 'unknown_field',
  })
  expect((await refused(save(mara, { SEAGM_UID: 'x' }, 0))).code).toBe('changed_meanwhile')
})

test('one that cannot be reached says nothing, and what the environment gives is entered nowhere', async () => {
  const dead = readConfig({ DEMO: '0', SEAGM_API_URL: 'http://127.0.0.1:9' })
  expect(await trySupplierSettings(mara, supplyEnvironment(dead), given(VALUES))).toMatchObject({
    tried: { answer: 'unknown' },
  })
  const set = readConfig({ DEMO: '0', SEAGM_UID: '1', SEAGM_SECRET: 'a secret of theirs' })
  expect(
    (await refused(trySupplierSettings(mara, supplyEnvironment(set), given(VALUES)))).fields,
  ).toEqual({ supplier: 'not_allowed' })
  // Its own service needs an address, which the environment alone gives.
  const hook = { code: 'hook', values: { SUPPLY_HOOK_SECRET: SANDBOX_SECRET }, version: 0 }
  expect((await refused(trySupplierSettings(mara, environment(), hook))).fields).toEqual({
    supplier: 'not_allowed',
  })
})

test('while purchases are under way another account is not kept, and nothing is taken away', async () => {
  await save(mara, VALUES)
  await underWay()
  const other = { ...VALUES, SEAGM_UID: 'somebody-else' }
  expect((await refused(save(mara, other, 1, true))).fields).toEqual({
    although_open: 'purchases_open',
  })
  expect(
    (await refused(removeSupplier(mara, environment(), { code: 'seagm', version: 1 }))).fields,
  ).toEqual({ although_open: 'purchases_open' })
  await sql`update purchase set status = 'failed', failure_class = 'supplier', failure_code = 'x', next_ask_at = null, ended_at = now()`.execute(
    ctx.db,
  )
  expect(await save(mara, other, 1, true)).toMatchObject({ waits: null })
})

test('with somebody who could approve it waits for them, is theirs to refuse, and holds once approved', async () => {
  const theo = await colleague('theo', 'finance')
  const pia = await colleague('pia', 'catalogue')
  expect((await refused(save(pia, VALUES))).code).toBe('forbidden')
  const { waits } = await save(mara, VALUES)
  expect(waits).not.toBeNull()
  expect(await shown()).toMatchObject({ source: 'none', version: 0 })
  expect((await refused(approveAct(mara, waits ?? ''))).code).toBe('needs_another')
  await refuseAct(theo, waits ?? '', 'Not now.')
  expect((await ctx.db.selectFrom('supplier_service_draft').select('code').execute()).length).toBe(
    0,
  )
  const again = await save(mara, VALUES)
  await approveAct(theo, again.waits ?? '')
  expect(await shown()).toMatchObject({ source: 'entered', version: 1, setBy: 'operator:mara' })
})
