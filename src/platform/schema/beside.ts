import type pg from 'pg'

/** Second line of a migration that builds indexes while everybody reads and writes their tables. */
const BESIDE = /^-- expand: .*\n-- beside shoppers\b/
const INDEX = /^create index concurrently if not exists (?<name>[a-z_0-9]+) on /
/**
 * An index that is built so keeps nobody up: it waits for transactions that began before, which it must see the end of, a backup among them.
 * Waited for at a stretch; then what was begun is taken away, and it is begun anew.
 */
const WAIT_MS = 600_000

export const isBesideShoppers = (text: string): boolean => BESIDE.test(text)

/** Its statements, each of which builds an index. Throws for any other: what else is done outside a transaction could be left half done. */
export function indexesOf(text: string): { readonly name: string; readonly statement: string }[] {
  return text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => {
      const name = INDEX.exec(statement)?.groups?.['name']
      if (name === undefined)
        throw new Error(`"${statement.slice(0, 60)}…" builds no index beside shoppers`)
      return { name, statement }
    })
}

/**
 * Builds each index of a migration, outside a transaction. One that is there is left alone; one that a process has left unfinished is taken
 * away and built anew, so that it can be killed at any moment and done again.
 */
export async function applyBeside(client: pg.Client, text: string): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${WAIT_MS}; set statement_timeout = 0`)
    for (const { name, statement } of indexesOf(text)) {
      const state = await stateOf(client, name)
      if (state === 'done') continue
      if (state === 'unfinished') await client.query(`drop index concurrently if exists ${name}`)
      await client.query(statement)
    }
  } finally {
    await client.query('reset lock_timeout; reset statement_timeout')
  }
}

async function stateOf(client: pg.Client, name: string): Promise<'none' | 'unfinished' | 'done'> {
  const { rows } = await client.query<{ isValid: boolean }>(
    `select i.indisvalid and i.indisready as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname = $1 and c.relnamespace = current_schema()::regnamespace`,
    [name],
  )
  const [row] = rows
  return row ? (row.isValid ? 'done' : 'unfinished') : 'none'
}
