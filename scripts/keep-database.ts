/**
 * Writes the rows of a database to test/upgrade/<migration>.json, for the upgrade test: with the program of a release, on a
 * small shop, `DATABASE_URL=… node scripts/keep-database.ts`. The file is named after the newest migration the database has.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { PROJECT_ROOT } from '#platform/project.ts'

const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
try {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  )
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select to_jsonb(kept)::text as row from "${name}" kept order by 1`,
    )
    if (rows.length > 0)
      parts.push(`${JSON.stringify(name)}: [\n${rows.map(({ row }) => `  ${row}`).join(',\n')}\n]`)
  }
  const newest = await client.query<{ number: string }>(
    `select left(max(name), 4) as number from migration`,
  )
  const file = join(PROJECT_ROOT, 'test', 'upgrade', `${newest.rows[0]?.number ?? ''}.json`)
  writeFileSync(file, `{\n${parts.join(',\n')}\n}\n`)
  process.stdout.write(`${file}\n`)
} finally {
  await client.end()
}
