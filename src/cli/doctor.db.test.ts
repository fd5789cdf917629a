import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { useDatabase } from '../../test/support/database.ts'

const database = useDatabase()
const folder = mkdtempSync(join(tmpdir(), 'lukado-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What doctor says of orders. */
async function orders(): Promise<string | undefined> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'cli.ts'), 'doctor'], {
    env: {
      PATH: process.env.PATH ?? '',
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      DEMO: '0',
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
  })
  await once(child, 'close')
  return out.split('\n').find((line) => line.includes(' orders:'))
}

/** Puts another view in the place of the promises. */
async function promisesAre(select: string): Promise<void> {
  await sql`drop view invariant_violation`.execute(database.ctx.db)
  await sql.raw(`create view invariant_violation as ${select}`).execute(database.ctx.db)
}

test('promises that hold, that are broken, and that cannot be looked at are told apart', async () => {
  expect(await orders()).toBe('ok     orders: every promise about orders, money and keys holds')
  await promisesAre(`select 'paid_and_lost'::text as invariant, 'x'::text as subject`)
  expect(await orders()).toMatch(/^wrong {2}orders: promises are broken: paid_and_lost \(1\)/)
  await promisesAre(`select (1 / (select 0))::text as invariant, 'x'::text as subject`)
  expect(await orders()).toBe('wrong  orders: division by zero')
  await sql`drop view invariant_violation`.execute(database.ctx.db)
  expect(await orders()).toMatch(/^ok {5}orders: not looked at/)
})
