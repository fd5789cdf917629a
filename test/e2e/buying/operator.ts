import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Waits until the demo's supplier has credited what an order has to be credited. @returns the account that it was told */
export async function credited(orderNumber: string): Promise<Record<string, string>> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    const [bought] = await sql(
      `select p.fields from purchase p join shop_order o on o.id = p.order_id where o.number = $1 and o.status = 'completed' and p.status = 'done'`,
      [orderNumber],
    )
    if (bought) {
      await workNow('tell_buyers')
      return bought['fields'] as Record<string, string>
    }
    await sleep(500)
  }
  throw new Error(`order ${orderNumber} was not credited`)
}
