import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { runningEmbeddedPostgres } from '../../../src/platform/postgres/embedded.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** A command starts anew each time, and whoever runs the tests may have other programs at work. */
const PATIENCE_MS = 120_000

/** Where the shop under test keeps its data; undefined for a shop that runs elsewhere, whose operator is somebody else. */
export const dataDirectory = process.env.SHOP_DATA_DIR

export const NO_OPERATOR = 'needs the data directory of the shop: SHOP_DATA_DIR'

/** Runs a command of the shop as its operator does, beside the running shop. @returns what it printed */
export async function cli(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli.ts', ...args], {
    cwd: ROOT,
    timeout: PATIENCE_MS,
    env: {
      ...process.env,
      DATA_DIR: dataDirectory,
      DATABASE_URL: '',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
  })
  return stdout
}

/** Changes the shop's database behind its back, where only time or another shopper could. */
export async function sql(
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: runningEmbeddedPostgres(dataDirectory ?? '')?.server,
  })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Lets the worker do now what it does again and again; a name alone stands for all of its kind ("refunds" of every provider). */
export async function workNow(...sweeps: readonly string[]): Promise<void> {
  for (const name of sweeps)
    await sql(`update sweep set wanted_at = now() where name = $1 or name like $1 || ':%'`, [name])
}

/** The sign-in of somebody is too long ago to count as a proof. */
export async function ageProof(email: string): Promise<void> {
  await sql(
    `update session set proved_at = proved_at - interval '1 day' where account_id = (select id from account where email = $1)`,
    [email],
  )
}

/** Delivers what is left of an order by hand, as an operator does. @returns the account that was to be credited */
export async function fulfil(orderNumber: string): Promise<Record<string, string>> {
  const units = await sql(
    `select unit.public_id from order_unit unit join shop_order o on o.id = unit.order_id where o.number = $1 and unit.delivery = 'direct_charge'`,
    [orderNumber],
  )
  let fields: Record<string, string> = {}
  for (const { public_id: unit } of units as { public_id: string }[]) {
    const claimed = JSON.parse(await cli('fulfil', 'claim', '--unit', unit, '--json')) as {
      fields: Record<string, string>
    }
    fields = claimed.fields
    await cli('fulfil', 'done', unit, '--proof', `receipt ${unit}`)
  }
  await workNow('tell_buyers')
  return fields
}
