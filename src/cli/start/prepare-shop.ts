import { spawn } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { environmentOf, type Config } from '#platform/config.ts'
import type { Log } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { refusal } from '#platform/refusal.ts'
import { secret } from '#platform/secret.ts'

export type Preparation = Readonly<{
  config: Config
  databaseUrl: string
  stopping: AbortSignal
  /** Tells the operator what takes a while. */
  say(line: string): void
}>

const DEMO_FOLDER = join(PROJECT_ROOT, 'catalogue')

export async function bringToNewestSchema(databaseUrl: string, log: Log): Promise<void> {
  const { applied } = await migrate(databaseUrl)
  if (applied.length > 0) log.info('migrated the database', { applied })
}

/** Fills an empty demo shop, so that the first visit finds goods; in a process of its own, whose memory is gone afterwards. */
export async function importDemo({ config, databaseUrl, stopping, say }: Preparation): Promise<void> {
  if (!config.demo || !(await isEmpty(databaseUrl))) return
  say('Importing the demo catalogue.')
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'src', 'cli.ts'), 'import', DEMO_FOLDER], {
    cwd: PROJECT_ROOT, env: environmentOf({ ...config, databaseUrl: secret(databaseUrl) }), stdio: ['ignore', 'ignore', 'inherit'], signal: stopping,
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw refusal('The demo catalogue could not be imported; the lines above say why.')
}

async function isEmpty(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ empty: boolean }>('select not exists (select from product) as empty')
    return rows[0]?.empty ?? false
  } finally {
    await client.end()
  }
}
