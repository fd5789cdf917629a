import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestKey } from '#features/buying/reseller-sandbox/commands.ts'
import { type Ctx } from '#platform/ctx.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { violations } from '../../test/support/buying.ts'
import { useDatabase } from '../../test/support/database.ts'
import { asOperator } from '../../test/support/operators.ts'
import { somebody } from '../../test/support/people.ts'
import { makeReseller, openResellerShop } from '../../test/support/reseller-shop.ts'
import type { RunningShop } from '../../test/support/running-shop.ts'
import { VAPOUR_CARD } from '../../test/support/vapour-cards.ts'
import { openApiDocument } from './openapi.ts'

/** Of the small catalogue, for what the examples name of the demo's. */
const GOODS: readonly (readonly [string, string])[] = [
  ['card:steam:us:20', VAPOUR_CARD],
  ['card%3Asteam%3Aus%3A20', encodeURIComponent(VAPOUR_CARD)],
  ['game:mobile-legends:global:50-plus-5', 'game:dragon-quarry:global:1200'],
]
const LIMITS = { orderMax: 50_000n, dayMax: 100_000n }
const database = useDatabase()
let shop: RunningShop
let ctx: Ctx
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-examples-'))
  ;({ ctx, shop } = await openResellerShop(database, { mark: 'X', count: 40 }))
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await shop.stop()
})

interface Keys {
  readonly key: string
  readonly secret: string
}

const real = async (): Promise<Keys> => (await makeReseller(ctx)).made

async function forTesting(): Promise<Keys> {
  const { email } = await somebody(ctx, { withPassword: false })
  return createTestKey(asOperator(ctx), { email, name: 'Trying', webhookUrl: null, ...LIMITS })
}

const PROGRAMS = {
  Shell: { program: 'sh', needs: ['sh', 'curl', 'openssl'], file: 'example.sh' },
  JavaScript: { program: process.execPath, needs: [process.execPath], file: 'example.mjs' },
  TypeScript: { program: process.execPath, needs: [process.execPath], file: 'example.mts' },
  Python: { program: 'python3', needs: ['python3'], file: 'example.py' },
  PHP: { program: 'php', needs: ['php'], file: 'example.php' },
} as const
type Language = keyof typeof PROGRAMS

/** The first program of a language that this machine has not; null where it has all. */
function missing(language: Language): string | null {
  for (const program of PROGRAMS[language].needs)
    try {
      execFileSync(program, [program === 'openssl' ? 'version' : '--version'], { stdio: 'ignore' })
    } catch (error) {
      // dash knows no options: it is there if it could be started at all.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return program
    }
  return null
}

const here = (text: string, host: string): string =>
  [[host, shop.origin] as const, ...GOODS].reduce(
    (changed, [shown, own]) => changed.replaceAll(shown, own),
    text,
  )

let run = 0
/** What a program prints, as JSON, each line. */
async function printed(language: Language, text: string, { key, secret }: Keys) {
  const { program, file } = PROGRAMS[language]
  run += 1
  const path = join(folder, `${run}-${file}`)
  writeFileSync(path, text)
  const { stdout } = await promisify(execFile)(program, [path], {
    env: { ...process.env, KEY: key, SECRET: secret },
    timeout: 60_000,
  })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { code: number; data: Record<string, unknown> })
}

interface Example {
  readonly path: string
  readonly samples: ReadonlyMap<string, string>
}

/** Every call of resellers in the contract, in the order that a purchase takes. */
const EXAMPLES: readonly Example[] = Object.entries(
  openApiDocument('Corner Shop', 'https://shop.example', '1.0.0').paths,
).flatMap(([path, methods]) =>
  Object.values(methods)
    .filter(({ tags }) => tags.includes('reseller'))
    .map((operation) => ({
      path,
      samples: new Map(
        operation['x-codeSamples']?.map(({ lang, source }) => [lang, source] as const),
      ),
    })),
)

test('the contract shows each call of resellers in three languages', () => {
  expect(EXAMPLES.length).toBe(9)
  for (const { path, samples } of EXAMPLES)
    expect([path, [...samples.keys()]]).toEqual([path, ['Shell', 'JavaScript', 'Python']])
})

describe.each(['Shell', 'JavaScript', 'Python'] as const)('the contract’s %s', (language) => {
  const lacking = missing(language)
  if (lacking !== null) console.warn(`Skipped: this machine has no ${lacking}.`)
  test.skipIf(lacking !== null).each([
    ['a key', real, /^[A-Z0-9]{12}$/],
    ['a test key', forTesting, /^TEST-NOT-A-CODE-/],
  ] as const)('buys with %s, call by call, to codes that are delivered', async (_, made, code) => {
    const keys = await made()
    const answers = new Map<string, Record<string, unknown>>()
    for (const { path, samples } of EXAMPLES) {
      const [answer] = await printed(
        language,
        here(samples.get(language) ?? '', 'https://shop.example'),
        keys,
      )
      expect([path, answer?.code]).toEqual([path, 1])
      answers.set(path, answer?.data ?? {})
    }
    expect(answers.get('/api/reseller/order')).toMatchObject({ result: 'done', is_paid: true })
    expect(answers.get('/api/reseller/order_status')).toEqual(answers.get('/api/reseller/order'))
    expect(answers.get('/api/reseller/keys')).toMatchObject({
      units: [{ item: VAPOUR_CARD, parts: { code: expect.stringMatching(code) } }],
    })
    expect(await violations(ctx)).toEqual([])
  })
})

/** What docs/selling/reseller-api.md shows in a language, against this shop. */
function shown(fence: string): string {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/selling/reseller-api.md'), 'utf8')
  const [, text = ''] = new RegExp(`\`\`\`${fence}\\n([^]*?)\`\`\``).exec(page) ?? []
  expect(text).toContain('https://shop.example')
  return here(text, 'https://shop.example')
}

const REFERENCE = '2f1c9b1e-5f0e-4a56'
const ORDER = JSON.stringify({
  reference: REFERENCE,
  lines: [{ item: VAPOUR_CARD, quantity: 1 }],
})
const CALLS = [
  ['POST', '/api/reseller/order?currency_code=USD', ORDER],
  ['GET', `/api/reseller/order_status?reference=${REFERENCE}&currency_code=USD`, ''],
  ['POST', '/api/reseller/keys?currency_code=USD', JSON.stringify({ reference: REFERENCE })],
] as const
/** The guide's function in each language, called for a purchase; its shell orders by itself. */
const GUIDE: readonly (readonly [Language, string, (text: string) => string])[] = [
  ['Shell', 'sh', (text) => text],
  [
    'TypeScript',
    'ts',
    (text) =>
      `${text}\n${CALLS.map((call) => `console.log(JSON.stringify(await call(...${JSON.stringify(call)})))`).join('\n')}`,
  ],
  [
    'Python',
    'python',
    (text) =>
      `${text}\n${CALLS.map((call) => `print(json.dumps(call(*${JSON.stringify(call)})))`).join('\n')}`,
  ],
  [
    'PHP',
    'php',
    (text) =>
      `<?php\n${text}\n${CALLS.map((call) => `echo json_encode(call(...json_decode('${JSON.stringify(call).replaceAll('\\', String.raw`\\`)}'))), "\\n";`).join('\n')}`,
  ],
]

describe.each(GUIDE)('the guide’s %s', (language, fence, whole) => {
  const lacking = missing(language)
  if (lacking !== null) console.warn(`Skipped: this machine has no ${lacking}.`)
  test.skipIf(lacking !== null)('buys to a delivered order', async () => {
    const answers = await printed(language, whole(shown(fence)), await real())
    expect(answers[0]).toMatchObject({ code: 1, data: { reference: REFERENCE, result: 'done' } })
    for (const { code } of answers) expect(code).toBe(1)
    if (answers.length > 1) expect(answers[2]?.data['units']).toMatchObject([{ item: VAPOUR_CARD }])
  })
})
