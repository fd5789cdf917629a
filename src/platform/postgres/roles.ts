import { createHash } from 'node:crypto'
import pg from 'pg'
import { newClient } from '../client.ts'
import { moveOwnership, QUEUE_SCHEMA } from '../schema/grants.ts'

/** Owns the tables and migrates them; nobody signs in as it. */
const OWNER = 'lukado_owner'
/** What the web process, the worker and the commands are. */
const PROGRAM = 'lukado_program'

/** Of one database, for three purposes. With one role on a server of one's own they are the same. */
export interface DatabaseAddresses {
  /** Reads and writes rows. */
  readonly program: string
  /** Makes and changes tables. */
  readonly owner: string
  /** Copies the whole server, and makes roles. */
  readonly server: string
}

/** Of the embedded server, from the address of the role it was made with. */
export function addressesOf(server: string): DatabaseAddresses {
  const program = new URL(server)
  program.username = PROGRAM
  program.password = programPassword(server)
  const owner = new URL(server)
  owner.searchParams.set('options', `-c role=${OWNER}`)
  return { program: program.href, owner: owner.href, server }
}

/** Follows from the server's, so that there is one file to keep, and does not lead back to it. */
function programPassword(server: string): string {
  return createHash('sha256')
    .update(`program ${new URL(server).password}`)
    .digest('base64url')
}

/** Makes the roles, and hands them what an earlier release made as the server's own role. */
export async function prepareRoles(server: string): Promise<void> {
  const client = newClient({ connectionString: server })
  await client.connect()
  try {
    const { rows } = await client.query<{ rolname: string; database: string }>(
      'select rolname, current_database() as database from pg_roles where rolname = any ($1) union all select null, current_database()',
      [[OWNER, PROGRAM]],
    )
    const known = rows.map(({ rolname }) => rolname)
    const database = pg.escapeIdentifier(rows[0]?.database ?? '')
    await client.query('begin')
    if (!known.includes(OWNER)) await client.query(`create role ${OWNER} nologin`)
    if (!known.includes(PROGRAM)) await client.query(`create role ${PROGRAM} login`)
    await client.query(
      `alter role ${PROGRAM} password ${pg.escapeLiteral(programPassword(server))};
       grant ${PROGRAM} to ${OWNER};
       alter database ${database} owner to ${OWNER}`,
    )
    await moveOwnership(client, 'public', OWNER)
    await moveOwnership(client, QUEUE_SCHEMA, PROGRAM)
    await client.query('commit')
  } finally {
    await client.end()
  }
}
