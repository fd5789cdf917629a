import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { migrate } from '#platform/migrate.ts'
import { databaseUrl } from '../support/postgres-server.ts'
import { examine } from '../../src/cli/doctor.ts'
import { readBlocks } from './blocks.ts'

const PAGE = 'docs/operating/install.md'
const made: { database: string; roles: string[] }[] = []

async function asAdmin(statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

afterAll(async () => {
  for (const { database, roles } of made)
    await asAdmin([
      `drop database if exists ${database} with (force)`,
      ...roles.map((role) => `drop role if exists ${role}`),
    ])
})

/** The page's statements, with other names, since other tests use the same server. */
async function follow(
  index: number,
): Promise<{ readonly owner: string; readonly program: string }> {
  const block = readBlocks().filter(
    ({ page, text }) => page === PAGE && text.startsWith('create role'),
  )[index]
  const name = `docs_${process.pid}_${index}`
  const statements = (block?.text ?? '').replaceAll('lukado', name).replaceAll('…', 'secret')
  const roles = [...statements.matchAll(/^create role (\w+)/gm)].map(([, role = '']) => role)
  made.push({ database: name, roles: roles.toReversed() })
  await asAdmin(statements.split(';\n').filter((statement) => statement.trim() !== ''))
  const urlOf = (role: string) => {
    const url = new URL(databaseUrl(inject('postgresUrl'), name))
    url.username = role
    url.password = 'secret'
    return url.href
  }
  return { owner: urlOf(roles[0] ?? ''), program: urlOf(roles.at(-1) ?? '') }
}

const canChangeHistory = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ can: boolean }>(
      "select has_table_privilege('ledger_transfer', 'delete') as can",
    )
    return rows[0]?.can
  } finally {
    await client.end()
  }
}

const doctorOn = async (url: string) => {
  const found = await examine(
    readConfig({ DATABASE_URL: url, DATA_DIR: '/nonexistent', DEMO: '0' }),
  )
  return found.find(({ subject }) => subject === 'roles')
}

test('a server set up with one role, as the page has it, takes the newest schema', async () => {
  const { owner } = await follow(0)
  await migrate(owner)
  expect(await canChangeHistory(owner)).toBe(true)
  expect(await doctorOn(owner)).toMatchObject({
    work: [expect.stringMatching(/owns the tables it writes.*docs\/operating\/install\.md/)],
  })
})

test('one set up with two keeps history from the role that the shop uses', async () => {
  const { owner, program } = await follow(1)
  await migrate({ owner, program })
  expect(await canChangeHistory(program)).toBe(false)
  expect(await doctorOn(program)).toMatchObject({ work: [] })
})
