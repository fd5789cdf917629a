import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { OperatorCommand } from './commands.ts'
import { commands } from './contents.ts'

/**
 * What an operator can change goes through one function of its feature that takes who asks, checks a named permission and writes the
 * audit. Read from the sources, so that a command which forgets it cannot be added.
 */
const CONTENTS = [
  'shop',
  'goods',
  'prices',
  'rates',
  'orders',
  'gate',
  'supply',
  'supply-books',
  'reseller',
  'supply-sync',
  'money',
  'tax',
  'team',
  'technical',
].map((name) => source(`src/cli/contents/${name}.ts`))
/** What follows from a decision that was checked and written down before: it decides nothing by itself. */
const FOLLOWING = new Set([
  'checkPayment',
  'submitRefund',
  'bankTransfers',
  'storeCreditPayments',
  'recordUnmatched',
  'applyFacts',
  // Only counts: whoever then takes them writes it down.
  'takeFileAlone',
  // Tells owners of what was written down.
  'tellOfAlone',
  // Only looks.
  'verifyAudit',
])
/** What every operator may do for themselves: it is written down all the same. */
const OWN = new Set(['createToken', 'changeOperatorPassword'])

interface Acting {
  readonly name: string
  readonly permissions: readonly string[]
  readonly isAudited: boolean
}

const operatorCommands = commands.filter((command) => 'act' in command)

test.each(operatorCommands.map((command) => [command.name, command] as const))(
  '%s acts by functions that check a permission and write the audit',
  (_, command) => {
    const { path, run } = runOf(command)
    const acting = actingIn(path, run)
    for (const { name, permissions, isAudited } of acting) {
      expect(isAudited, `${name} writes the audit`).toBe(true)
      if (!OWN.has(name)) expect(permissions, `${name} checks a permission`).not.toEqual([])
    }
    const checked = acting.flatMap(({ permissions }) => permissions)
    if (command.permission !== null && acting.length > 0)
      expect(checked, 'the permission that the command names').toContain(command.permission)
    if (command.permission === null)
      expect(acting.map(({ name }) => name).filter((name) => !OWN.has(name))).toEqual([])
  },
)

test('commands that change something are found to do so', () => {
  const acting = operatorCommands.filter((command) => {
    const { path, run } = runOf(command)
    return actingIn(path, run).length > 0
  })
  expect(acting.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'import',
      'keys import',
      'keys rotate',
      'cases accept',
      'refund',
      'fulfil done',
      'bank received',
      'payments reconcile',
      'credit grant',
      'operator role',
      'operator token',
    ]),
  )
})

test('what needs no operator is technical: it decides nothing about orders, goods, money or people', () => {
  expect(
    commands.filter((command) => !('act' in command)).map(({ name }) => name),
  ).toMatchInlineSnapshot(`
    [
      "start",
      "migrate",
      "keys demo",
      "demo-goods",
      "demo-keys",
      "demo-people",
      "backup",
      "restore",
      "after-restore",
      "doctor",
      "extension test",
      "operator create",
      "operator invite",
      "operator reset",
      "operator recover",
    ]
  `)
})

function source(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8')
}

/** The file and the exported function that a command runs, as its row of the contents says. */
function runOf({ name }: OperatorCommand): { readonly path: string; readonly run: string } {
  for (const text of CONTENTS) {
    const row = text.slice(text.indexOf(`name: '${name}',`))
    const found = /import\('\.\.\/([\w-]+\.ts)'\)\)\.(\w+)/.exec(row)
    if (text.includes(`name: '${name}',`) && found?.[1] && found[2])
      return { path: `src/cli/${found[1]}`, run: found[2] }
  }
  throw new Error(`no row of the contents names ${name}`)
}

/** The functions of features that a run calls to change something. */
function actingIn(path: string, run: string): Acting[] {
  const text = source(path)
  const body = declarationOf(text, run)
  const imports = [...text.matchAll(/import (?:type )?\{([^}]*)\} from '#(features\/[^']+)'/g)]
  return imports.flatMap(([, names = '', file = '']) => {
    if (!/(?:commands|flows)\.ts$|\/write\//.test(file)) return []
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ') && !FOLLOWING.has(name))
      .filter((name) => new RegExp(`\\b${name}\\b`).test(body))
      .map((name) => actingOf(homeOf(`src/${file}`, name), name))
  })
}

/** The file that a function stands in, where a feature's table of commands only names it. */
function homeOf(file: string, name: string): string {
  const place = [...source(file).matchAll(/export \{([^}]*)\} from '(\.[^']+)'/g)].find(
    ([, names = '']) => names.split(',').some((one) => one.trim() === name),
  )?.[2]
  return place === undefined ? file : homeOf(join(file, '..', place), name)
}

function actingOf(file: string, name: string): Acting {
  const text = source(file)
  const body = declarationOf(text, name)
  expect(body, `${name} of ${file} takes who asks`).toMatch(
    new RegExp(`^export async function ${name}\\(\\s*ctx: OperatorCtx\\b`),
  )
  const reached = bodiesOf(file, name, new Set())
  const permissions = reached.flatMap((one) => [
    ...one.matchAll(/requirePermission\(\w+, '([^']+)'\)/g),
  ])
  return {
    name,
    permissions: permissions.map(([, permission = '']) => permission),
    isAudited: reached.some((one) => /\brecordA(?:udit|ct)\(/.test(one)),
  }
}

/** Asking for leave writes only what waits: whoever has it must still say what they did. */
const ASKING = '#features/team/approval/'

/**
 * What a function does in the name of who asks: itself, and the functions of its own file, of a neighbour or of another feature that it
 * hands them to. What is called without knowing who asks proves nothing about them.
 */
function bodiesOf(file: string, name: string, seen: Set<string>): string[] {
  if (seen.has(`${file} ${name}`)) return []
  seen.add(`${file} ${name}`)
  const text = source(file)
  const body = declarationOf(text, name)
  const own = [...text.matchAll(/function (\w+)[(<]|^const (\w+) = \(/gm)].map(
    ([, one = '', arrow = '']) => one || arrow,
  )
  const called = own.filter((one) => one !== name && isHandedTo(body, one))
  const imports = [...text.matchAll(/import \{([^}]*)\} from '(\.[^']+|#features\/[^']+)'/g)]
  const others = imports.flatMap(([, names = '', place = '']) => {
    const home = place.startsWith('#') ? `src/${place.slice(1)}` : join(file, '..', place)
    return names
      .split(',')
      .map((one) => one.trim())
      .filter((one) => /^\w+$/.test(one) && !place.startsWith(ASKING) && isHandedTo(body, one))
      .flatMap((one) => bodiesOf(homeOf(home, one), one, seen))
  })
  return [body, ...called.flatMap((one) => bodiesOf(file, one, seen)), ...others]
}

/** Whether a function is called with who asks, as the first or second of what it takes. */
const isHandedTo = (body: string, name: string) =>
  new RegExp(`\\b${name}(?:<[^()]*>)?\\(\\s*(?:\\w+,\\s*)?(?:ctx|own|acting)\\b`).test(body)

/** From its first line to its closing brace, as the formatter lays it out. */
function declarationOf(text: string, name: string): string {
  const start = new RegExp(`^(?:export )?(?:async function|function|const) ${name}\\b`, 'm').exec(
    text,
  )
  if (!start) return ''
  const rest = text.slice(start.index)
  return rest.slice(0, /\n(?:\}|\)|\]|`)?\n(?=\n|$)|\n\}\n/.exec(rest)?.index ?? rest.length)
}
