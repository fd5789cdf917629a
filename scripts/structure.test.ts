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
      'api/orders.ts': 'export const x = sql<{ a: number }>`select 1`\n',
    },
    /api\/orders.ts: SQL stands in.*\n.*cli\/orders.ts: SQL stands in|cli\/orders.ts: SQL stands in.*\n.*api\/orders.ts: SQL stands in/,
  ],
  [
    'settings read outside platform',
    { 'features/buying/order/queries.ts': 'export const x = process.env.PORT\n' },
    /settings come from/,
  ],
])('%s is reported', (_, files, message) => {
  expect(problemsOf({ ...GOOD, ...files }).join('\n')).toMatch(message)
})
