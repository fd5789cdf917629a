import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkStructure } from './structure.ts'

/** Checks a source tree made of the given files. */
function problemsOf(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'structure-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return checkStructure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('what the bundler puts in for a pattern is imported like what is named', () => {
  const shop = {
    'kernel/money.ts': 'export const cent = 1\n',
    'storefront/home/page.ts': "export const view = import.meta.glob('../*/load.ts')\n",
    'storefront/cart/load.ts': 'export const load = 1\n',
    'storefront/cart/load.test.ts': "import './load.ts'\n",
  }
  expect(problemsOf(shop)).toEqual([])
  expect(
    problemsOf({
      ...shop,
      'kernel/all.ts': "export const all = import.meta.glob('../storefront/*/load.ts')\n",
    }),
  ).toEqual([expect.stringContaining('src/kernel may not import src/storefront')])
  const eager = "import.meta.glob(['../*/load.ts', '!../home/load.ts'], { eager: true })"
  const round = {
    ...shop,
    'storefront/home/page.ts': `export const view = ${eager}\n`,
    'storefront/cart/load.ts': "import { view } from '../home/page.ts'\nexport const load = view\n",
  }
  expect(problemsOf(round)).toEqual([expect.stringContaining('storefront/cart/load.ts')])
})

const GOOD = {
  'kernel/money.ts': 'export const cent = 1\n',
  'platform/db.ts': "import { cent } from '#kernel/money.ts'\nexport const db = cent\n",
  'features/goods/catalogue/queries.ts':
    "import { db } from '#platform/db.ts'\nexport const rows = db\n",
  'features/buying/order/commands.ts':
    "import { rows } from '#features/goods/catalogue/queries.ts'\nexport const order = rows\n",
  'server.ts':
    "import { order } from '#features/buying/order/commands.ts'\nexport const server = order\n",
}

/** Every way in which a file can take something of another. */
const UP = [
  "export const x = () => import('#features/buying/offer/commands.ts')",
  'export const x = () => import(`#features/buying/offer/commands.ts`)',
  "import type { Offer } from '#features/buying/offer/commands.ts'\nexport const x = {} as Offer",
  "export const x = {} as import('#features/buying/offer/commands.ts').Offer",
  "export { cancel } from '#features/buying/offer/commands.ts'",
  "export * from '#features/buying/offer/commands.ts'",
  "export type { Offer } from '../../buying/offer/commands.ts'",
  "import '../../../features/buying/offer/commands.ts'",
  "/* first */ import { cancel } from '#features/buying/offer/commands.ts'\nexport const x = cancel",
  "const a = 1; import { cancel } from '#features/buying/offer/commands.ts'\nexport const x = a + cancel",
  "import x = require('#features/buying/offer/commands.ts')\nexport { x }",
  "import { createRequire } from 'node:module'\nexport const x = createRequire(import.meta.url)('#features/buying/offer/commands.ts')",
  "declare const require: (name: string) => unknown\nexport const x = require('../../buying/offer/commands.ts')",
] as const
const PRIVATE = [
  "export { hidden } from '#features/buying/offer/write/hidden.ts'",
  "export const x = () => import('../features/buying/offer/write/hidden.ts')",
] as const
const CLOCKS = [
  'export const x = new Date()',
  'export const x = new Date',
  'export const x = Date()',
  "export const x = Date['now']()",
  'export const x = Math.random()',
  'export const x = crypto.randomUUID()',
  "import { randomBytes as some } from 'node:crypto'\nexport const x = some(4)",
] as const
const SETTINGS = [
  "export const x = process['env'].PORT",
  'const { env } = process\nexport const x = env.PORT',
  "import { env } from 'node:process'\nexport const x = env.PORT",
  'export const x = globalThis.process.env.PORT',
] as const
const STATEMENTS = [
  "export const x = db['selectFrom']('shop_order')",
  "export const x = db.mergeInto('shop_order')",
  "import { sql as raw } from 'kysely'\nexport const x = raw`select 1`",
  "import pg from 'pg'\nexport const x = new pg.Client().query('select 1')",
] as const

test('a tree that keeps the rules has no problems', () => {
  expect(problemsOf(GOOD)).toEqual([])
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a lower layer that imports a higher one',
    { 'kernel/bad.ts': "import { db } from '#platform/db.ts'\nexport const x = db\n" },
    /src\/kernel may not import src\/platform/,
  ],
  ['an unknown folder', { 'utils/x.ts': 'export const x = 1\n' }, /unknown folder utils/],
  [
    'a file outside the vocabulary of features',
    { 'features/buying/order/helpers.ts': 'export const x = 1\n' },
    /not in the feature vocabulary/,
  ],
  [
    'rules that reach for the database',
    {
      'features/buying/order/rules.ts':
        "import { db } from '#platform/db.ts'\nexport const x = db\n",
    },
    /rules.ts may not import platform/,
  ],
  [
    'a private file of another feature',
    {
      'features/goods/catalogue/flows.ts': 'export const x = 1\n',
      'features/buying/order/flows.ts':
        "import { x } from '#features/goods/catalogue/flows.ts'\nexport const y = x\n",
    },
    /flows.ts of another feature is private/,
  ],
  [
    'an import that leads nowhere',
    { 'kernel/a.ts': "import { x } from './gone.ts'\nexport const y = x\n" },
    /cannot resolve/,
  ],
  [
    'a cycle of files',
    {
      'kernel/a.ts': "import { b } from './b.ts'\nexport const a = b\n",
      'kernel/b.ts': "import { a } from './a.ts'\nexport const b = a\n",
    },
    /cycle of files/,
  ],
  [
    'a cycle of features',
    {
      'features/goods/catalogue/commands.ts':
        "import { order } from '#features/buying/order/commands.ts'\nexport const x = order\n",
    },
    /cycle of features: (?:goods\/catalogue → buying\/order → goods\/catalogue|buying\/order → goods\/catalogue → buying\/order)/,
  ],
  [
    'an import of a higher floor',
    {
      'features/goods/stock/commands.ts':
        "import { cancel } from '#features/buying/offer/commands.ts'\nexport const x = cancel\n",
      'features/buying/offer/commands.ts': 'export const cancel = 1\n',
    },
    /goods\/stock\/commands.ts: goods may not import up/,
  ],
  [
    'a feature without a floor',
    { 'features/order/rules.ts': 'export const x = 1\n' },
    /no such floor/,
  ],
  [
    'a file too long for one subject',
    { 'kernel/long.ts': 'export const x = 1\n'.repeat(401) },
    /limit is 400/,
  ],
  [
    'the clock read outside platform',
    { 'features/buying/order/queries.ts': 'export const at = Date.now()\n' },
    /come from ctx/,
  ],
  [
    'SQL in a flow',
    { 'features/buying/order/flows.ts': "export const x = db.selectFrom('shop_order')\n" },
    /features\/buying\/order\/flows.ts: SQL stands in queries.ts/,
  ],
  [
    'SQL above the features',
    {
      'cli/orders.ts': "export const x = db.selectFrom('shop_order')\n",
      'api/orders.ts':
        "import { sql } from 'kysely'\nexport const x = sql<{ a: number }>`select 1`\n",
    },
    /api\/orders.ts: SQL stands in.*\n.*cli\/orders.ts: SQL stands in|cli\/orders.ts: SQL stands in.*\n.*api\/orders.ts: SQL stands in/,
  ],
  ...UP.map((text): [string, Record<string, string>, RegExp] => [
    `a higher floor reached by ${JSON.stringify(text)}`,
    {
      'features/goods/stock/commands.ts': `${text}\n`,
      'features/buying/offer/commands.ts': 'export const cancel = 1\nexport interface Offer {}\n',
    },
    /goods\/stock\/commands.ts: goods may not import up/,
  ]),
  ...PRIVATE.map((text): [string, Record<string, string>, RegExp] => [
    `what is private to a feature reached from above it by ${JSON.stringify(text)}`,
    {
      'features/buying/offer/write/hidden.ts': 'export const hidden = 1\n',
      'cli/offers.ts': `${text}\n`,
    },
    /cli\/offers.ts: write of a feature is private/,
  ]),
  ...CLOCKS.map((text): [string, Record<string, string>, RegExp] => [
    `time or chance taken by ${JSON.stringify(text)}`,
    { 'features/buying/order/queries.ts': `${text}\n` },
    /come from ctx/,
  ]),
  ...SETTINGS.map((text): [string, Record<string, string>, RegExp] => [
    `a setting read by ${JSON.stringify(text)}`,
    { 'features/buying/order/queries.ts': `${text}\n` },
    /settings come from/,
  ]),
  ...STATEMENTS.map((text): [string, Record<string, string>, RegExp] => [
    `a statement in a flow made by ${JSON.stringify(text)}`,
    { 'features/buying/order/flows.ts': `${text}\n` },
    /features\/buying\/order\/flows.ts: SQL stands in queries.ts/,
  ]),
  [
    'an import whose name is worked out',
    { 'api/orders.ts': 'export const x = (name: string) => import(`#features/${name}`)\n' },
    /api\/orders.ts: what is imported is named by a plain text/,
  ],
  [
    'a test that is imported by the program',
    {
      'features/buying/order/queries.ts': "export { x } from './order.test.ts'\n",
      'features/buying/order/order.test.ts': 'export const x = 1\n',
    },
    /order\/queries.ts: .\/order.test.ts is a test/,
  ],
  [
    'a file outside the program',
    { 'cli/orders.ts': "export { x } from '../../scripts/x.ts'\n" },
    /cli\/orders.ts: ..\/..\/scripts\/x.ts is outside the program/,
  ],
  [
    'styles of a higher layer',
    { 'ui/button.tsx': "import '../storefront/page.css'\n", 'storefront/page.css': '' },
    /src\/ui may not import src\/storefront/,
  ],
  [
    'pure code that is handed the machine',
    { 'features/buying/order/rules.ts': "import { readFileSync } from 'node:fs'\nreadFileSync\n" },
    /order\/rules.ts: pure code may not import node:fs/,
  ],
  [
    'a source that no check reads',
    { 'platform/x.mts': 'export const x = 1\n', 'cli/y.js': 'export const y = 1\n' },
    /cli\/y.js: sources are .ts and .tsx[\s\S]*platform\/x.mts: sources|platform\/x.mts: sources[\s\S]*cli\/y.js: sources/,
  ],
  [
    'a file that stands on a floor itself',
    { 'features/goods/commands.ts': 'export const x = 1\n' },
    /features\/goods\/commands.ts: a feature is a folder on a floor/,
  ],
  [
    'settings read outside platform',
    { 'features/buying/order/queries.ts': 'export const x = process.env.PORT\n' },
    /settings come from/,
  ],
])('%s is reported', (_, files, message) => {
  expect(problemsOf({ ...GOOD, ...files }).join('\n')).toMatch(message)
})

test('what is exported has no home-made word in its name', () => {
  const problems = problemsOf({
    'kernel/money.ts':
      'export const strayCent = 1\nexport interface ToldPrice {}\nexport type KeptRate = 1\nexport const cents = strayCent\n',
  })
  expect(problems).toEqual(
    ['strayCent', 'ToldPrice', 'KeptRate'].map((name) => expect.stringContaining(name) as string),
  )
})
