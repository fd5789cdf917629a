import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { onSettingFault, readSetting } from '#features/base/setting/queries.ts'
import { readShopCurrency, readShopSettings } from '#features/base/shop/queries.ts'
import { REQUIRED_TEXTS } from '#features/base/shop/rules.ts'
import { shopSetting } from '#features/base/shop/schema.ts'
import { NO_SAMPLES, readSampleTexts } from '#features/goods/content/engine/sample-texts.ts'
import { secondPersonSetting } from '#features/team/approval/schema.ts'
import { listMissing, loadSnapshot } from '#features/goods/browse/snapshot.ts'
import { DEFAULT_METHODS } from '#features/goods/pay-method/schema.ts'
import { importCatalogue } from '#features/goods/transfer/commands.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { smallCatalogue, writeFolder } from '../../../../test/support/catalogue-folder.ts'
import { useDatabase } from '../../../../test/support/database.ts'
import { asOperator } from '../../../../test/support/operators.ts'
import { changeSetting, unsetSetting } from './commands.ts'
import { listBrokenSettings, listSettings } from './queries.ts'
import { SETTINGS } from './schema.ts'

const database = useDatabase()
const owner = () => asOperator(database.ctx)
const clear = () => database.ctx.db.deleteFrom('setting').execute()
beforeAll(clear)
afterEach(clear)

const cents = (minor: bigint) => ({ minor, currency: 'USD' })
const putByHand = (key: string, value: string) =>
  database.ctx.db.insertInto('setting').values({ key, value }).execute()

test('a setting is checked when it is written, whole or in parts, and who wrote it is known', async () => {
  await changeSetting(owner(), 'shop.name', 'Corner Shop')
  await changeSetting(owner(), 'shop.support_hours', '{"from": "09:00", "to": "18:00"}')
  await changeSetting(owner(), 'shop.corporate_name', '42')
  expect(await readShopSettings(database.ctx.db)).toMatchObject({
    name: 'Corner Shop',
    corporateName: '42',
    supportHours: { from: '09:00', to: '18:00' },
  })
  await changeSetting(owner(), 'refund_second_person_minor', '5000')
  expect(await readSetting(database.ctx.db, secondPersonSetting)).toEqual(cents(5_000n))
  await unsetSetting(owner(), 'refund_second_person_minor')
  expect(await readSetting(database.ctx.db, secondPersonSetting)).toEqual({ units: 100n })
  const lines = await database.ctx.db
    .selectFrom('audit_log')
    .select(['actor', 'subject_code', 'after'])
    .where('subject', '=', 'setting')
    .orderBy('at')
    .execute()
  expect(lines).toHaveLength(5)
  expect(lines[0]).toEqual({
    actor: 'operator:ann',
    subject_code: 'shop.name',
    after: { value: { name: 'Corner Shop' } },
  })
})

test.each([
  ['shop.nmae', 'typo'],
  ['shop.support_hours', '9 to 5'],
  ['shop.support_email', 'nobody'],
  ['payment_methods', '[{"code": "stripe", "fee": {"basis_points": 90000}}]'],
  ['invoice', '{"name": "Corner Shop Ltd"}'],
  ['rate_max_age_hours', 'never'],
])(
  'what does not do for %s is refused in one sentence, and nothing is changed',
  async (path, text) => {
    await expect(changeSetting(owner(), path, text)).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringMatching(/^That does not do for [a-z_]+: .+\. Nothing was changed\.$/),
    })
    expect(await database.ctx.db.selectFrom('setting').selectAll().execute()).toEqual([])
  },
)

test('a limit of the shop is an amount of any currency, and the shop’s own currency is one that has a rate', async () => {
  const { ctx } = database
  await changeSetting(owner(), 'refund_second_person_minor', '{"minor": 7000, "currency": "EUR"}')
  expect(await readSetting(ctx.db, secondPersonSetting)).toEqual({
    minor: 7_000n,
    currency: 'EUR',
  })
  await expect(changeSetting(owner(), 'shop_currency', 'EUR')).rejects.toMatchObject({
    name: 'Refusal',
    message: 'The shop has no currency EUR with a rate of exchange. Nothing was changed.',
  })
  await expect(changeSetting(owner(), 'shop_currency', 'euro')).rejects.toMatchObject({
    name: 'Refusal',
  })
  expect(await readShopCurrency(ctx.db)).toMatchObject({ code: 'USD', places: 2 })
  await changeSetting(owner(), 'shop_currency', 'USD')
  expect(await readShopCurrency(ctx.db)).toMatchObject({ code: 'USD', places: 2 })
})

test('nobody but who manages the shop changes a setting, and there are no others', async () => {
  await expect(
    changeSetting(asOperator(database.ctx, 'bao', 'finance'), 'shop.name', 'Mine'),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await expect(changeSetting(owner(), 'colour', 'red')).rejects.toMatchObject({ code: 'not_found' })
})

test('a row that cannot be read stops nothing: its default holds, the log says so once, doctor names it', async () => {
  const said: string[] = []
  onSettingFault((key) => said.push(key))
  await putByHand('shop', '{"nmae": "typo"}')
  await putByHand('payment_methods', '"all of them"')
  await putByHand('rate_max_age_hours', '-1')
  await putByHand('refund_second_person_minor', '"ten"')
  for (let round = 0; round < 3; round += 1) {
    const shop = await loadSnapshot(database.ctx.db, 1)
    expect(shop.settings).toEqual(shopSetting.fallback)
    expect(shop.payMethods).toEqual(DEFAULT_METHODS)
  }
  expect(await readSetting(database.ctx.db, secondPersonSetting)).toEqual({ units: 100n })
  expect(said.toSorted()).toEqual([
    'payment_methods',
    'rate_max_age_hours',
    'refund_second_person_minor',
    'shop',
  ])
  expect(await listBrokenSettings(database.ctx.db)).toHaveLength(4)
})

test('every setting and each of its parts is documented, with an example that does', async () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/operating/settings.md'), 'utf8')
  const unexplained = SETTINGS.flatMap(({ key, example }) => [
    key,
    ...(example !== null && typeof example === 'object' && !Array.isArray(example) && key === 'shop'
      ? Object.keys(example).map((part) => `shop.${part}`)
      : []),
  ]).filter((name) => !page.includes(`| \`${name}\` |`))
  expect(unexplained).toEqual([])
  for (const { key, schema, example } of SETTINGS)
    expect([key, schema.safeParse(example).success]).toEqual([key, true])
  // Each command of the page does what it says.
  const commands = [...page.matchAll(/^ {4}npm run cli -- settings set (\S+) (.+)$/gm)]
  expect(commands.length).toBeGreaterThan(4)
  for (const [, path = '', text = ''] of commands)
    await changeSetting(owner(), path, /^(['"])(.*)\1$/.exec(text)?.[2] ?? text)
  expect((await listSettings(database.ctx.db)).filter(({ fault }) => fault !== null)).toEqual([])
})

test('a value that is there is read as it stands', async () => {
  await putByHand('rate_max_age_hours', '6')
  const rate = SETTINGS.find(({ key }) => key === 'rate_max_age_hours')
  expect(rate && (await readSetting(database.ctx.db, rate))).toBe(6)
})

test('a shop sells nothing before it says who it is and what buyers agree to', async () => {
  const { db } = database.ctx
  expect((await loadSnapshot(db, 1)).missing).toEqual([
    'shop.name',
    'shop.corporate_name',
    'shop.address',
    'shop.support_email',
    'sales-terms',
    'terms-of-use',
    'privacy-policy',
    'legal-provisions',
  ])
  await changeSetting(owner(), 'shop', JSON.stringify(shopSetting.example))
  expect(await listMissing(db, NO_SAMPLES)).toEqual([
    'sales-terms',
    'terms-of-use',
    'privacy-policy',
    'legal-provisions',
  ])
  await changeSetting(owner(), 'sell_incomplete', 'true')
  expect((await loadSnapshot(db, 1)).missing).toEqual([])
})

test("the samples that the demo ships are nobody's own texts, in whatever language", async () => {
  const { db } = database.ctx
  await db.deleteFrom('setting').execute()
  await changeSetting(owner(), 'shop', JSON.stringify(shopSetting.example))
  const samples = await readSampleTexts(REQUIRED_TEXTS)
  const shipped = (path: string) =>
    JSON.parse(readFileSync(join(PROJECT_ROOT, 'catalogue', path), 'utf8')) as {
      articles: { code: string; sections: { paragraphs: string[] }[] }[]
      article: Record<string, Record<string, string>>
    }
  const { articles } = shipped('articles/pages.json')
  const pages = articles.filter(({ code }) => REQUIRED_TEXTS.some((required) => required === code))
  const translations = Object.fromEntries(
    LANGUAGE_CODES.filter((code) => code !== 'en').map((code) => [
      `translations/${code}.json`,
      {
        article: Object.fromEntries(
          Object.entries(shipped(`translations/${code}.json`).article).filter(([key]) =>
            REQUIRED_TEXTS.some((required) => key === `page/${required}`),
          ),
        ),
      },
    ]),
  )
  const importTexts = async (own: readonly string[], kept: readonly string[]) => {
    const written = pages.map((page) => ({
      ...page,
      sections: own.includes(page.code)
        ? page.sections.map((section) => ({
            ...section,
            paragraphs: section.paragraphs.map((_, at) => `What we say of it, ${at}.`),
          }))
        : page.sections,
    }))
    const folder = { ...smallCatalogue(), 'articles/pages.json': { articles: written } }
    // What no file speaks of stays as it was.
    await db.deleteFrom('translation').execute()
    const told = kept.map((code) => {
      const path = `translations/${code}.json`
      return [path, translations[path]]
    })
    await importCatalogue(database.ctx, writeFolder({ ...folder, ...Object.fromEntries(told) }))
    return listMissing(db, samples)
  }
  const every = LANGUAGE_CODES.filter((code) => code !== 'en')
  const sample = (code: string, languages: readonly string[]) =>
    `${code} of its own instead of the demo's sample (${languages.join(', ')})`

  expect(await importTexts([], every)).toEqual(
    REQUIRED_TEXTS.map((code) => sample(code, LANGUAGE_CODES)),
  )
  expect((await loadSnapshot(db, 1, null, samples)).missing).toHaveLength(4)
  expect((await loadSnapshot(db, 1)).missing).toEqual([])
  // Written anew in English alone: who reads another language would still agree to the sample.
  expect(await importTexts(REQUIRED_TEXTS, every)).toEqual(
    REQUIRED_TEXTS.map((code) => sample(code, every)),
  )
  expect(await importTexts(['sales-terms'], [])).toEqual(
    REQUIRED_TEXTS.filter((code) => code !== 'sales-terms').map((code) => sample(code, ['en'])),
  )
  expect(await importTexts(REQUIRED_TEXTS, [])).toEqual([])
  expect(await importTexts(REQUIRED_TEXTS, ['de'])).toEqual(
    REQUIRED_TEXTS.map((code) => sample(code, ['de'])),
  )
})
