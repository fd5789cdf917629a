import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longRunTest } from '../support/long.ts'
import { makeScratchCopy, type ScratchCopy } from '../support/scratch-copy.ts'
import { followRecipe } from './recipe.ts'

/** The recipes of CONTRIBUTING.md, all followed on one copy of the project, which must then pass the project's own checks. */
let copy: ScratchCopy
const outside: Record<string, readonly string[]> = {}

function run(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy.root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  return status === 0 ? stdout : `${stdout}${stderr}exit code ${status}`
}

beforeAll(() => {
  copy = makeScratchCopy()
  outside['provider'] = addProvider()
  outside['page'] = addPage()
  outside['console page'] = addConsolePage()
  outside['feature'] = addFeature()
  outside['mail'] = addMail()
  outside['language'] = addLanguage()
  typeTables()
  run('scripts/message-keys.ts')
  run('scripts/route-docs.ts')
})
afterAll(() => copy.remove())

/** What npm run db:types makes of the migrations of the recipes, as this test runs no database. */
function typeTables(): void {
  const tables = copy.read('src/platform/tables.ts')
  copy.write('src/platform/tables.ts', tables.replaceAll("'zh-tw'", "'sv' | 'zh-tw'"))
}

function addProvider(): readonly string[] {
  const recipe = followRecipe(copy, 'src/providers/payment/tally/')
  recipe.add(
    'src/providers/payment/tally/service.ts',
    `import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { paymentService } from '../service.ts'

export const tally = paymentService({
  code: 'tally',
  settings: { TALLY_KEY: z.string().min(8, 'must be the key that Tally gave you').transform(secret) },
  origins: ['https://pay.tally.example'],
  methods: [{ code: 'tally', group: 'local', icon: 'qr', minUsdMinor: 50n, maxUsdMinor: 50_000n }],
  open: async ({ TALLY_KEY: key }) => (await import('./tally.ts')).tallyPayments(key),
})
`,
  )
  recipe.add(
    'src/providers/payment/tally/tally.ts',
    `import type { Secret } from '#platform/secret.ts'
import { ProviderRefusal, type PaymentProvider } from '../provider.ts'

export function tallyPayments(key: Secret): PaymentProvider {
  const ask = (): Promise<never> =>
    Promise.reject(new ProviderRefusal(\`Tally takes nothing for a key of \${key.reveal().length}\`))
  return {
    code: 'tally',
    limits: (currency) => (currency === 'EUR' ? { min: 1n, max: 1_000_000n, step: 1n } : null),
    create: ask,
    fetch: ask,
    cancel: ask,
    refund: ask,
    findRefund: ask,
    readNotice: ask,
    list: async function* () {},
  }
}
`,
  )
  recipe.add(
    'src/providers/payment/tally/README.md',
    '# Tally\n\n`TALLY_KEY` is the key of the account.\n',
  )
  recipe.edit(
    'src/providers/payment/services.ts',
    'import { stripe }',
    "import { tally } from './tally/service.ts'\nimport { stripe }",
  )
  recipe.edit(
    'src/providers/payment/services.ts',
    '[stripe, paypal, hook]',
    '[stripe, paypal, hook, tally]',
  )
  recipe.texts('cashier', {
    'cashier.method.tally.name': 'cashier.method.wallet.name',
    'cashier.method.tally.text': 'cashier.method.wallet.text',
    'cashier.method.tally.refund': 'cashier.method.wallet.refund',
  })
  return recipe.outside()
}

function addPage(): readonly string[] {
  const recipe = followRecipe(copy, 'src/storefront/hours/')
  recipe.add(
    'src/storefront/hours/load.ts',
    `import type { PageContext, PageMeta } from '../page.ts'

export interface HoursData {
  readonly title: string
}

export function load({ t }: PageContext): HoursData {
  return { title: t('title.hours') }
}

export function meta({ title }: HoursData): PageMeta {
  return { title, description: title }
}
`,
  )
  recipe.add(
    'src/storefront/hours/page.tsx',
    `import type { HoursData } from './load.ts'

export function Page({ data }: { readonly data: HoursData }) {
  return <h1>{data.title}</h1>
}
`,
  )
  recipe.add('src/storefront/hours/addresses.json', '{ "/hours": { "visitor": ["/hours"] } }\n')
  recipe.edit(
    'src/storefront/routes.ts',
    '] as const satisfies',
    "  page('/hours', 'hours', 'title.hours', { inSitemap: true }),\n] as const satisfies",
  )
  recipe.texts('title', { 'title.hours': 'title.search' })
  // Written by npm run docs:routes.
  return [...recipe.outside(), 'docs/routes.md']
}

function addConsolePage(): readonly string[] {
  const recipe = followRecipe(copy, 'src/console/hours/')
  recipe.add(
    'src/console/hours/load.ts',
    `import type { ConsoleContext, Loaded } from '../page.ts'

export interface HoursData {
  readonly openAt: string
}

export function load({ t, timeZone }: ConsoleContext): Promise<Loaded<HoursData>> {
  return Promise.resolve({ title: t('console.hours.nav'), data: { openAt: \`09:00 \${timeZone}\` } })
}
`,
  )
  recipe.add(
    'src/console/hours/page.tsx',
    `import { useT } from '../words.tsx'
import type { HoursData } from './load.ts'

export function Page({ data }: { readonly data: HoursData }) {
  const t = useT()
  return (
    <>
      <h1>{t('console.hours.nav')}</h1>
      <p>{data.openAt}</p>
    </>
  )
}
`,
  )
  recipe.edit(
    'src/console/routes.ts',
    "  { page: 'system',",
    "  { page: 'hours', path: '/hours', needs: null },\n  { page: 'system',",
  )
  recipe.texts('console', { 'console.hours.nav': 'console.exports.nav' })
  return recipe.outside()
}

function addFeature(): readonly string[] {
  const recipe = followRecipe(copy, 'src/features/goods/opening/')
  recipe.add(
    'src/features/goods/opening/rules.ts',
    '/** Whether somebody answers at this hour of the shop. */\nexport function isOpen(hour: number): boolean {\n  return hour >= 9 && hour < 17\n}\n',
  )
  recipe.add(
    'src/features/goods/opening/rules.test.ts',
    "import { expect, test } from 'vitest'\nimport { isOpen } from './rules.ts'\n\ntest('nobody answers at night', () => {\n  expect([3, 12, 17].map(isOpen)).toEqual([false, true, false])\n})\n",
  )
  // What uses it is the one line outside.
  recipe.edit(
    'src/storefront/hours/load.ts',
    'import type',
    "import { isOpen } from '#features/goods/opening/rules.ts'\nimport type",
  )
  copy.edit(
    'src/storefront/hours/load.ts',
    "title: t('title.hours')",
    "title: isOpen(12) ? t('title.hours') : ''",
  )
  return recipe.outside()
}

function addMail(): readonly string[] {
  const recipe = followRecipe(copy, 'src/features/goods/opening/')
  recipe.edit(
    'src/features/people/mail/rules.ts',
    "  'register_code',\n",
    "  'register_code',\n  'shop_opened',\n",
  )
  recipe.texts('mail', {
    'mail.shop_opened.subject': 'mail.account_erased.subject',
    'mail.shop_opened.title': 'mail.account_erased.title',
    'mail.shop_opened.text': 'mail.account_erased.text',
  })
  return recipe.outside()
}

function addLanguage(): readonly string[] {
  const recipe = followRecipe(copy, 'locales/')
  cpSync(join(copy.root, 'locales', 'nl'), join(copy.root, 'locales', 'sv'), { recursive: true })
  recipe.edit('src/kernel/language.ts', "  'th',\n", "  'sv',\n  'th',\n")
  recipe.add(
    'db/migrations/9002_swedish.sql',
    `-- expand: one language more, which the release before neither reads nor writes
alter domain language_code drop constraint language_code_check;
alter domain language_code add constraint language_code_check check (value in
  ('ar','de','en','es','fr','hi','id','it','ja','ko','ms','my','nl','pt','ro','ru','sv','th','tl','vi','zh','zh-tw'));
`,
  )
  copy.edit('src/kernel/language.ts', "  th: '", "  sv: 'Svenska',\n  th: '")
  return recipe.outside()
}

test('a payment provider is a folder and a line in one file', () => {
  expect(outside['provider']).toEqual(['src/providers/payment/services.ts'])
})

test('a page is a folder, a line in the table of routes, and the document written from it', () => {
  expect(outside['page']).toEqual(['src/storefront/routes.ts', 'docs/routes.md'])
})

test('a page of the console is a folder, and a line in its table of routes', () => {
  expect(outside['console page']).toEqual(['src/console/routes.ts'])
})

test('a feature is a folder, and a line where it is used', () => {
  expect(outside['feature']).toEqual(['src/storefront/hours/load.ts'])
})

test('a mail is its kind in one file, a language its folder, its name in one, and a migration of what the database lists', () => {
  expect(outside['mail']).toEqual(['src/features/people/mail/rules.ts'])
  expect(outside['language']).toEqual(['db/migrations/9002_swedish.sql', 'src/kernel/language.ts'])
})

longRunTest('the copy passes the checks of types, structure, texts and links', () => {
  const types = run('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.')
  expect([types, run('scripts/check-structure.ts'), run('scripts/check-links.ts')]).toEqual([
    '',
    '',
    '',
  ])
  // Words copied from another language or key may be the English ones: that is told, and nothing else is.
  const told = run('scripts/check-locales.ts')
    .split('\n')
    .filter(
      (line) => /^(?:locales|[a-z-]+)\//.test(line) && !line.includes('is the same as English'),
    )
  expect(told).toEqual([])
})

test('the provider is configured, opened and offered, and refused when it is given wrongly', () => {
  copy.write(
    'proof.ts',
    `import { readConfig } from '#platform/config.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import { DEFAULT_METHODS } from '#features/goods/pay-method/schema.ts'
import { methodName } from '#features/goods/pay-method/views.ts'
import { translatorOf } from '#platform/i18n/messages.ts'

const { providers, origins } = await offeredPayments(readConfig({ DEMO: '0', DATABASE_URL: 'postgres://db/shop', TALLY_KEY: 'a-long-key' }), () => new Date())
let refused = ''
try {
  readConfig({ TALLY_KEY: 'short' })
} catch (error) {
  refused = String(error)
}
console.log(JSON.stringify({ codes: providers.map(({ code }) => code), origins, name: methodName(DEFAULT_METHODS, 'tally', translatorOf('sv')), refused }))
`,
  )
  const said = JSON.parse(run('proof.ts')) as Record<string, unknown>
  expect(said).toEqual({
    codes: ['tally'],
    origins: ['https://pay.tally.example'],
    name: expect.stringMatching(/./) as string,
    refused: expect.stringContaining('TALLY_KEY must be the key that Tally gave you.') as string,
  })
})

test("the page, the feature and the provider's page are taken in by the project's own tests", () => {
  const files = [
    'src/storefront/routes.test.ts',
    'src/features/goods/opening',
    'src/platform/service-settings.test.ts',
  ]
  const said = run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--reporter',
    'verbose',
    ...files,
  )
  expect(said).toContain('/hours has a page')
  expect(said).not.toContain('exit code')
})
