import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCall } from '../../src/cli/arguments.ts'
import { commands } from '../../src/cli/contents.ts'
import { readConfig, SERVICE_SETTING_NAMES, SETTING_NAMES } from '../../src/platform/config.ts'
import { ALLOWANCES } from '../../src/platform/http/rate-limiter.ts'
import { PROJECT_ROOT } from '../../src/platform/project.ts'
import { readBlocks, type Block } from './blocks.ts'
import { LEFT_OUT, PAGES_WITH_COMMANDS, placed, readSpans } from './inline.ts'
import { commandsOf, unquoted } from './shell.ts'

const blocks = readBlocks()
const fileOf = (name: string) => readFileSync(join(PROJECT_ROOT, name), 'utf8')
const { scripts } = JSON.parse(fileOf('package.json')) as { scripts: Record<string, string> }

/** Examples that a test of their own runs: what they begin with, on which page, and where that test reads them or does the same. */
const RUN: readonly {
  readonly page: string
  readonly begins: RegExp
  readonly by: string
  /** Stands in that test, so that it cannot be taken away unseen. */
  readonly proof: string
}[] = [
  {
    page: 'docs/operating/alerts.md',
    begins: /^import \{ createHmac/,
    by: 'src/alerting.db.test.ts',
    proof: "'alerts.md'",
  },
  {
    page: 'docs/operating/extending.md',
    begins: /^import \{ createHmac|^body=/,
    by: 'test/documentation/extending.test.ts',
    proof: "'extending.md'",
  },
  {
    page: 'docs/operating/proxy.md',
    begins: /^log_format|^shop\.example \{/,
    by: 'test/proxies/run.ts',
    proof: "'proxy.md'",
  },
  {
    page: 'docs/operating/install.md',
    begins: /^create role/,
    by: 'test/documentation/own-postgres.db.test.ts',
    proof: "'docs/operating/install.md'",
  },
  {
    page: 'docs/operating/upgrade.md',
    begins: /^update setting/,
    by: 'test/upgrade/way-back.ts',
    proof: "'docs/operating/upgrade.md'",
  },
]

/** Addresses that a page spells out. */
const ADDRESSES = new Map([
  ['{PUBLIC_URL}/api/webhook/{service}', ['src/api/webhooks.ts', 'webhook']],
  ['{PUBLIC_URL}/loading/{platform}', ['src/storefront/routes.ts', '/loading/']],
] as const)

const UNIT_KEYS: Readonly<Record<string, readonly string[]>> = {
  '[Unit]': ['Description', 'After', 'Wants', 'Requires'],
  '[Service]': [
    'Type',
    'User',
    'Group',
    'WorkingDirectory',
    'Environment',
    'EnvironmentFile',
    'ExecStart',
    'Restart',
    'RestartSec',
    'TimeoutStopSec',
  ],
  '[Install]': ['WantedBy'],
}

test('there are examples to look at', () => {
  expect(blocks.length).toBeGreaterThan(40)
})

test.each(blocks.map((block) => [`${block.page}:${block.line}`, block] as const))(
  'the example at %s is run or read by somebody, and holds',
  (_, block) => {
    const found = [runElsewhere, unit, json, address, shell].flatMap((look) => {
      const faults = look(block)
      return faults === null ? [] : [faults]
    })
    expect(found.length, `nobody looks at:\n${block.text}`).toBeGreaterThan(0)
    expect(found.flat()).toEqual([])
  },
)

// Each says what is wrong with an example; null for one that it does not look at.

function runElsewhere({ page, text }: Block): readonly string[] | null {
  const run = RUN.find((one) => one.page === page && one.begins.test(text))
  if (!run) return null
  return fileOf(run.by).includes(run.proof) ? [] : [`${run.by} does not run it any more`]
}

function unit({ text }: Block): readonly string[] | null {
  if (!text.startsWith('[')) return null
  let section = ''
  const faults: string[] = []
  for (const line of text.trim().split('\n')) {
    if (line.startsWith('[')) {
      section = line
      continue
    }
    const [key = '', ...rest] = line.split('=')
    if (UNIT_KEYS[section]?.includes(key) !== true) faults.push(`${section} ${key} is unknown`)
    const value = rest.join('=')
    if (key === 'Environment') faults.push(...settingFaults(value.split(' ')))
    if (key === 'ExecStart') {
      if (!value.startsWith('/')) faults.push('ExecStart is no absolute path')
      faults.push(...npmFaults(value.split(' ').slice(1)))
    }
  }
  return faults
}

function json({ text }: Block): readonly string[] | null {
  if (!text.startsWith('{"')) return null
  const lines = text.trim().split('\n')
  for (const one of lines.every((line) => line.startsWith('{"')) ? lines : [text]) JSON.parse(one)
  return []
}

function address({ text }: Block): readonly string[] | null {
  const stands = ADDRESSES.get(text.trim() as never) as readonly [string, string] | undefined
  if (!stands) return null
  const [file, piece] = stands
  return fileOf(file).includes(piece) ? [] : [`${file} knows no ${piece}`]
}

const PROGRAMS: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  npm: npmFaults,
  docker: dockerFaults,
  curl: curlFaults,
  // Of the machine, not of this program: that a shell can read them is all that can be said here.
  pg_dump: () => [],
  journalctl: () => [],
}

/** Lines that a shell reads: the program's own commands are read as it would read them. */
function shell({ text }: Block): readonly string[] | null {
  const script = placed(text)
  const lines = commandsOf(script)
  if (lines.some(({ program }) => PROGRAMS[program] === undefined)) return null
  const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' })
  return [
    ...(status === 0 ? [] : [stderr]),
    ...lines.flatMap(({ settings, program, words }) => [
      ...settingFaults(settings),
      ...(PROGRAMS[program]?.(words) ?? []),
    ]),
  ]
}

/** Of the commands, not of the shop's configuration. */
const OF_COMMANDS = [
  'EXTENSION_SECRET',
  'OPERATOR_PASSWORD',
  'OPERATOR_TOKEN_FILE',
  'POSTGRES_PASSWORD',
]

function settingFaults(given: readonly string[]): readonly string[] {
  const pairs = given.map((word) => {
    const [name = '', ...value] = word.split('=')
    return [name, unquoted(value.join('='))] as const
  })
  const own = pairs.filter(([name]) => !OF_COMMANDS.includes(name))
  const unknown = own
    .map(([name]) => name)
    .filter((name) => ![...SETTING_NAMES, ...SERVICE_SETTING_NAMES].includes(name))
  if (unknown.length > 0) return unknown.map((name) => `${name} is no setting`)
  // What is left to the reader is no value.
  const values = Object.fromEntries(own.filter(([, value]) => value !== LEFT_OUT))
  try {
    readConfig(values)
    return []
  } catch (error) {
    return [String(error)]
  }
}

function npmFaults(words: readonly string[]): readonly string[] {
  const [verb = '', script = '', dashes, ...rest] = words
  if (verb === 'ci') return []
  if (verb === 'start' || verb === 'test') return scripts[verb] ? [] : [`no script ${verb}`]
  if (verb !== 'run' || scripts[script] === undefined)
    return [`npm ${words.join(' ')} does nothing`]
  if (script !== 'cli') return []
  if (dashes !== '--') return ['npm keeps the options of a command without --']
  const call = readCall(rest)
  return 'problem' in call ? [`${rest.join(' ')}: ${call.problem}`] : []
}

function dockerFaults(words: readonly string[]): readonly string[] {
  const dockerfile = fileOf('Dockerfile')
  const after = (option: string) =>
    words.flatMap((word, index) => (word === option ? [words[index + 1] ?? ''] : []))
  const [verb = ''] = words
  if (!['build', 'run', 'compose'].includes(verb)) return [`docker ${verb} is unknown`]
  return [
    ...after('--build-arg').flatMap((pair) =>
      dockerfile.includes(`ARG ${pair.split('=')[0]}`) ? [] : [`the Dockerfile has no ${pair}`],
    ),
    ...after('--publish').flatMap((port) =>
      dockerfile.includes(`EXPOSE ${port.split(':').at(-1)}`) ? [] : [`nobody listens at ${port}`],
    ),
    ...after('--volume').flatMap((volume) =>
      dockerfile.includes(`VOLUME ${volume.split(':').at(-1)}`) ? [] : [`no volume ${volume}`],
    ),
    ...settingFaults(after('--env')),
  ]
}

function curlFaults(words: readonly string[]): readonly string[] {
  const address = words.find((word) => word.startsWith('http')) ?? ''
  const body = words[words.indexOf('-d') + 1] ?? ''
  JSON.parse(body)
  const service = fileOf('src/sandbox/payment/service.ts') + fileOf('src/sandbox/payment/main.ts')
  const { pathname } = new URL(address)
  const last = pathname.split('/').at(-1) ?? ''
  return pathname.startsWith('/sandbox/payment/') && service.includes(last)
    ? []
    : [`${address} is not there`]
}

/** Words of the program's own commands, or of npm's: what begins otherwise is a name, a value or a file. */
const GROUPS = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))

/**
 * What is wrong with a command within a sentence or a table; null for what is none. Without arguments it is named, with some it is
 * what somebody types.
 */
function spanFaults(span: string): readonly string[] | null {
  const text = placed(span)
  const given = /^(?:[A-Z_]+=\S+ )*npm /.test(text) ? commandsOf(text) : null
  if (given)
    return given.flatMap(({ settings, words }) => [
      ...settingFaults(settings),
      ...(isName(words.slice(words.indexOf('--') + 1)) ? [] : npmFaults(words)),
    ])
  const words = commandsOf(`x ${text}`)[0]?.words ?? []
  if (!GROUPS.has(words[0] ?? '') || words.length < 2 || isName(words)) return null
  const call = readCall(words)
  return 'problem' in call ? [`${span}: ${call.problem}`] : []
}

const isName = (words: readonly string[]) =>
  words.join(' ') === '--help' || commands.some(({ name }) => name === words.join(' '))

test.each(PAGES_WITH_COMMANDS)('the commands within the text of %s are commands', (page) => {
  expect(readSpans(page).flatMap((span) => spanFaults(span) ?? [])).toEqual([])
})

test('a command within a text that is none, or lacks what it needs, is found', () => {
  for (const right of ['npm run cli -- doctor', 'npm run cli -- payments close', 'npm start'])
    expect(spanFaults(right)).toEqual([])
  for (const none of ['payments close', 'shop.name', 'orders']) expect(spanFaults(none)).toBe(null)
  for (const wrong of [
    'orders undecidable',
    'keys withdraw --butch <batch>',
    'npm run cli -- payments close <payment>',
    'npm run nothing',
    'DATABASE_ADDRESS=… npm start',
    'BACKUP_DIR=… DEMO=perhaps npm start',
  ])
    expect(spanFaults(wrong), wrong).toHaveLength(1)
})

test('what an address and a person may ask is what the program allows', () => {
  const table = fileOf('docs/operating/proxy.md')
  for (const { burst, per, by } of Object.values(ALLOWANCES)) {
    const who = by === 'person' ? 'person, or address' : 'address'
    expect(table).toContain(`| ${who} | ${burst.toLocaleString('en')} | ${per} s |`)
  }
  const { read, form, code, write, costly, 'sign-in': signIn } = ALLOWANCES
  const said = ({ burst, per }: { burst: number; per: number }) =>
    `${burst.toLocaleString('en')} in ${per} s`
  expect(fileOf('docs/security/design.md')).toContain(
    `reading ${said(read)}, forms ${said(form)}, sign-in ${said(signIn)}, codes ${said(code)}`,
  )
  expect(fileOf('docs/security/design.md')).toContain(`${said(write)}, ${said(costly)}`)
})

/** What a page promises of a command, its help must not take back. */
test('the help of a command asks for a restart where its page does, and nowhere else', () => {
  const page = fileOf('docs/operating/rotate-secrets.md')
  const own = /\*\*Keys in the file `vault\.key`\*\*[\s\S]*?\n\n/.exec(page)?.[0] ?? ''
  const given = /\*\*Keys in `VAULT_KEYS`\*\*[\s\S]*?\n\n/.exec(page)?.[0] ?? ''
  expect(own).toContain('without a restart')
  expect(given).toContain('start the shop there again')
  const help = commands.find(({ name }) => name === 'keys rotate')?.description ?? ''
  const [ofFile = '', ofVariable = ''] = help.split('With VAULT_KEYS')
  expect(ofFile).toContain('without a restart')
  expect(ofVariable).toMatch(/restart the shop/)
  // No other command works on what a process reads at its start alone.
  const asking = commands.filter(({ description }) => /restart/i.test(description ?? ''))
  expect(asking.map(({ name }) => name)).toEqual(['keys rotate'])
})
