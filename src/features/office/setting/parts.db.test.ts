import { afterEach, beforeAll, expect, test } from 'vitest'
import { readSetting } from '#features/base/setting/queries.ts'
import { readShopSettings } from '#features/base/shop/queries.ts'
import { alertsSetting } from '#features/office/alert/schema.ts'
import { isAppError } from '#kernel/error.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { approveAct } from '#features/office/approval/commands.ts'
import { asOperator, firstOwner, hire } from '../../../../test/support/operators.ts'
import { changeParts, changeSetting, importSettings } from './commands.ts'
import { versionOf } from './engine/version.ts'
import { readSettingForms, settingsFile, tryFile } from './queries.ts'

const database = useDatabase()
const owner = (name = 'ann') => asOperator(database.ctx, name)
const clear = () => database.ctx.db.deleteFrom('setting').execute()
beforeAll(clear)
afterEach(clear)

const UNSET = versionOf(undefined)
const change = (part: string | null, value: unknown, version = UNSET) => ({ part, value, version })

async function formOf(path: string) {
  const settings = await readSettingForms(database.ctx.db)
  const form = settings.flatMap(({ forms }) => forms).find(({ field }) => field.path === path)
  if (!form) throw new Error(`no field ${path}`)
  return form
}

/** What was refused, at its fields. */
async function fieldsOf(asked: Promise<unknown>) {
  const error: unknown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  )
  return isAppError(error) ? error.fields.map(({ field, reason }) => [field, reason]) : error
}

test('parts are changed together, and each knows who changed it and what it was', async () => {
  await changeParts(owner(), 'shop', [
    change('name', 'Corner Shop'),
    change('support_email', 'help@corner.example'),
  ])
  expect(await readShopSettings(database.ctx.db)).toMatchObject({
    name: 'Corner Shop',
    supportEmail: 'help@corner.example',
  })
  const { version } = await formOf('shop.name')
  await changeParts(owner('bao'), 'shop', [change('name', 'Corner', version)])
  const form = await formOf('shop.name')
  expect(form).toMatchObject({ value: 'Corner', isSet: true, changed: { by: 'operator:bao' } })
  expect(form.former.map(({ value, by }) => [value, by])).toEqual([
    ['Corner Shop', 'operator:bao'],
    [null, 'operator:ann'],
  ])
  // What was changed in one part leaves no trace in the others.
  expect((await formOf('shop.support_email')).former).toHaveLength(1)
})

test('what was taken back holds again, and nothing set leaves no row', async () => {
  await changeParts(owner(), 'low_stock_days', [change(null, 7)])
  const { version } = await formOf('low_stock_days')
  await changeParts(owner(), 'low_stock_days', [change(null, null, version)])
  expect((await formOf('low_stock_days')).isSet).toBe(false)
  await changeParts(owner(), 'shop', [change('copyright', '© Corner')])
  const set = await formOf('shop.copyright')
  await changeParts(owner(), 'shop', [change('copyright', null, set.version)])
  expect(await database.ctx.db.selectFrom('setting').selectAll().execute()).toEqual([])
})

test('a bad value is refused at its field, and nothing is changed', async () => {
  const asked = changeParts(owner(), 'shop', [
    change('name', 'Corner Shop'),
    change('support_email', 'nobody'),
  ])
  expect(await fieldsOf(asked)).toEqual([['shop.support_email', 'email_format']])
  expect(await fieldsOf(changeParts(owner(), 'shop_currency', [change(null, 'XXX')]))).toEqual([
    ['shop_currency', 'currency_unknown'],
  ])
  expect(await fieldsOf(changeParts(owner(), 'invoice', [change('name', 'Corner Ltd')]))).toEqual([
    ['invoice.address', 'required'],
    ['invoice.tax_id', 'required'],
  ])
  await expect(changeParts(owner(), 'payment_methods', [change(null, [])])).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(changeParts(owner(), 'shop', [change('colour', 'red')])).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await database.ctx.db.selectFrom('setting').selectAll().execute()).toEqual([])
})

test('a second person’s edit is kept: of the same part it is told, of another both hold', async () => {
  await changeParts(owner('bao'), 'shop', [change('name', 'Theirs')])
  const stale = changeParts(owner(), 'shop', [change('name', 'Mine')])
  expect(await fieldsOf(stale)).toEqual([['shop.name', 'changed_elsewhere']])
  await changeParts(owner(), 'shop', [change('copyright', '© Mine')])
  expect(await readShopSettings(database.ctx.db)).toMatchObject({
    name: 'Theirs',
    copyright: '© Mine',
  })
})

test('two who change the same part at once: one holds, the other hears of it', async () => {
  const both = await Promise.allSettled([
    changeParts(owner('ann'), 'shop', [change('name', 'One')]),
    changeParts(owner('bao'), 'shop', [change('name', 'Other')]),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a broken row is shown with its fault, and is mended from its form', async () => {
  await database.ctx.db
    .insertInto('setting')
    .values({ key: 'low_stock_days', value: '"many"' })
    .execute()
  const settings = await readSettingForms(database.ctx.db)
  expect(settings.find(({ key }) => key === 'low_stock_days')?.fault).toMatch(/number/)
  const { version, value } = await formOf('low_stock_days')
  expect(value).toBe('many')
  await changeParts(owner(), 'low_stock_days', [change(null, 4, version)])
  expect((await formOf('low_stock_days')).value).toBe(4)
})

test('only whoever manages the shop changes it', async () => {
  const support = asOperator(database.ctx, 'sue', 'support')
  await expect(changeParts(support, 'shop', [change('name', 'Mine')])).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('all settings leave as a file without secrets, and come back into another shop', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  await changeSetting(owner(), 'alerts.webhook_secret', secret)
  await changeSetting(owner(), 'alerts.webhook', 'https://alerts.corner.example/shop')
  await changeSetting(owner(), 'shop.name', 'Corner Shop')
  const text = await settingsFile(database.ctx.db)
  expect(text).not.toContain(secret)
  await changeSetting(owner(), 'shop.name', 'Other')
  await changeSetting(owner(), 'alerts.language', 'de')
  const tried = await tryFile(database.ctx.db, text, true)
  expect(tried.faults).toEqual([])
  expect(tried.changes.map(({ setting }) => setting.key)).toEqual(['shop', 'alerts'])
  expect(await importSettings(owner(), { text, version: tried.version, isTerminal: true })).toBe(2)
  expect(await readSetting(database.ctx.db, alertsSetting)).toMatchObject({
    language: 'en',
    webhook: { secret },
  })
  expect((await tryFile(database.ctx.db, text, true)).changes).toEqual([])
})

test('a file with a fault changes nothing, nor one that is older than what is there', async () => {
  const file = (settings: object) => JSON.stringify({ format: 'lukado-settings/1', settings })
  const bad = file({ low_stock_days: 7, rate_max_age_hours: 'never' })
  await expect(
    importSettings(owner(), { text: bad, version: null, isTerminal: true }),
  ).rejects.toMatchObject({ code: 'changed_meanwhile' })
  const good = file({ low_stock_days: 7 })
  const { version } = await tryFile(database.ctx.db, good, false)
  await changeSetting(owner(), 'shop.name', 'Meanwhile')
  await expect(
    importSettings(owner(), { text: good, version, isTerminal: false }),
  ).rejects.toMatchObject({ code: 'changed_meanwhile' })
  // What every owner is told of is changed by itself in the console.
  const told = await tryFile(database.ctx.db, file({ alerts: { language: 'de' } }), false)
  expect(told.faults.map(({ kind }) => kind)).toEqual(['elsewhere'])
  expect(await database.ctx.db.selectFrom('setting').select('key').execute()).toEqual([
    { key: 'shop' },
  ])
})

test('settings that prices are made of are left to those who may move prices without a limit', async () => {
  const manager = owner('sol')
  const own = {
    name: 'Manager',
    permissions: ['shop.manage', 'price.change'] as const,
    limits: {},
    priceLimit: 1_000,
  }
  const limited = { ...manager, operator: { ...manager.operator, role: 'manager', own } }
  const levels = { '1': { off_basis_points: 9_000 } }
  const text = JSON.stringify({ format: 'lukado-settings/1', settings: { prices: { levels } } })
  for (const asked of [
    () => changeParts(limited, 'prices', [change('levels', levels)]),
    () => changeSetting(limited, 'prices.levels', JSON.stringify(levels)),
    () => importSettings(limited, { text, version: null, isTerminal: false }),
  ])
    await expect(asked()).rejects.toMatchObject({ code: 'forbidden' })
  await changeParts(limited, 'low_stock_days', [change(null, 7)])
  await changeParts(owner(), 'prices', [change('levels', levels)])
})

test('what owners are told of waits for another of them, its secrets sealed, and holds as it was asked for', async () => {
  const { ctx } = database
  const first = await firstOwner(ctx)
  const second = await hire(first, 'owner')
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
  const url = 'https://alerts.corner.example/shop'
  const asked = [change('webhook', url), change('webhook_secret', secret)]
  const waits = (await changeParts(first, 'alerts', asked)) ?? ''
  expect((await readSetting(ctx.db, alertsSetting)).webhook).toBeNull()
  const acts = await ctx.db.selectFrom('operator_act').selectAll().execute()
  expect(JSON.stringify(acts)).toContain(url)
  expect(JSON.stringify(acts)).not.toContain(secret)
  await expect(approveAct(first, waits)).rejects.toThrow()
  await approveAct(second, waits)
  expect((await readSetting(ctx.db, alertsSetting)).webhook).toEqual({ url, secret })

  // Nobody raises alone what takes two, and what is another by then is asked for anew.
  const key = 'refund_second_person_minor'
  const raised = (await changeParts(first, key, [change(null, 5_000_000)])) ?? ''
  await changeSetting(second, key, '2000')
  await expect(approveAct(second, raised)).rejects.toThrow('changed_meanwhile')
  expect((await formOf(key)).value).toBe(2000)
  // Any other setting is one person's to change.
  expect(await changeParts(first, 'low_stock_days', [change(null, 9)])).toBeNull()
})
