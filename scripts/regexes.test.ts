import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

/**
 * Every pattern of the program is run on long texts made of its own characters. One whose time grows by the third power of the length or
 * faster runs into a limit that is far beyond what the others need, on however busy a machine.
 */
const LENGTH = 2_500
const LIMIT_MS = 5_000

const ROOT = join(import.meta.dirname, '..')
const FILES = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter(
    (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name),
  )
  .map((entry) => join(entry.parentPath, entry.name))

interface Found {
  readonly literals: ReadonlyMap<string, string>
  readonly built: readonly string[]
}

interface Node {
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

function* nodesOf(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return
  if (!Array.isArray(value)) yield value
  for (const part of Object.values(value)) yield* nodesOf(part)
}

function findPatterns(): Found {
  const literals = new Map<string, string>()
  const built = new Set<string>()
  for (const file of FILES) {
    const name = relative(ROOT, file).replaceAll('\\', '/')
    const program = parseAst(readFileSync(file, 'utf8'), {
      lang: file.endsWith('x') ? 'tsx' : 'ts',
    })
    for (const node of nodesOf(program)) {
      const { regex, callee } = node as Node
      if (regex) literals.set(`/${regex.pattern}/${regex.flags}`, name)
      if (callee?.name === 'RegExp') built.add(name)
    }
  }
  return { literals, built: [...built].sort() }
}

const found = findPatterns()

/** Texts that make a pattern try again and again: its own characters and pairs of them, many times, and then something that fits nothing. */
function nastyTexts(literal: string, length: number): string[] {
  const plain = literal.replaceAll(/\\[pPu]\{[^}]*\}|[[\](){}?*+^$|\\]/g, '')
  const letters = [...new Set(['a', 'A', '0', ' ', '-', '.', ...plain])].slice(0, 24)
  const few = letters.slice(0, 8)
  const pumps = [...letters, ...few.flatMap((one) => few.map((two) => one + two))]
  return pumps.flatMap((pump) => {
    const long = pump.repeat(Math.ceil(length / pump.length))
    return [long, `${long}\u0000`, `a${long}!`]
  })
}

const context = createContext({ texts: [] as string[] })

function isDone(literal: string, texts: readonly string[], timeout: number): boolean {
  context['texts'] = texts
  try {
    runInContext(
      `for (const text of texts) { const pattern = ${literal}; pattern.test(text) }`,
      context,
      { timeout },
    )
    return true
  } catch {
    return false
  }
}

/** First all texts at once; only where that takes long, each by itself, longer ones, with all the time that a busy machine may need. */
function isSlow(literal: string): boolean {
  if (isDone(literal, nastyTexts(literal, 500), 1_000)) return false
  return nastyTexts(literal, LENGTH).some((text) => !isDone(literal, [text], LIMIT_MS))
}

test('no pattern of the program takes long, whatever it is given', { timeout: 600_000 }, () => {
  expect(found.literals.size).toBeGreaterThan(200)
  expect(isSlow('/^(a+)+$/')).toBe(true)
  expect([...found.literals].filter(([literal]) => isSlow(literal))).toEqual([])
})

test('every pattern is known when the program is read', () => {
  // Built of constants, or of the owner's catalogue, whose patterns the import looks at; none of what somebody sends.
  expect(found.built).toEqual(BUILT)
})

const BUILT = [
  'src/features/base/authenticator/engine/time-code.ts',
  'src/features/base/authenticator/rules.ts',
  'src/features/buying/offer/rules.ts',
  'src/features/buying/vault/engine/made-up-key.ts',
  'src/features/buying/vault/rules.ts',
  'src/features/goods/search/engine/tokenise.ts',
  'src/features/goods/transfer/folder/check-brands.ts',
  'src/features/goods/transfer/folder/patterns.ts',
  'src/features/people/account/rules.ts',
  'src/features/people/address/engine/postal-code.ts',
  'src/platform/redaction.ts',
  'src/storefront/product/account-input.ts',
  'src/storefront/server/look.ts',
  'src/storefront/text/with-parts.tsx',
]
