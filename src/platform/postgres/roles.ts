import { createHash } from 'node:crypto'
import pg from 'pg'
import { newClient } from '../client.ts'
import { moveOwnership, QUEUE_SCHEMA } from '../schema/grants.ts'

/** Owns the tables and migrates them, and may do nothing else: what the program could make it run gains nothing by it. */
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
  return { program: addressAs(PROGRAM, server), owner: addressAs(OWNER, server), server }
}

function addressAs(role: string, server: string): string {
  const address = new URL(server)
  address.username = role
  address.password = passwordOf(role, server)
  return address.href
}

/** Follows from the server's, so that there is one file to keep, and does not lead back to it, nor from one role to the other. */
function passwordOf(role: string, server: string): string {
  const purpose = role === PROGRAM ? 'program' : 'owner'
  return createHash('sha256')
    .update(`${purpose} ${new URL(server).password}`)
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
    // No schema named like the role: what somebody put there would be taken for the shop's own tables.
    await client.query('set local search_path = public')
    for (const role of [OWNER, PROGRAM]) {
      if (!known.includes(role)) await client.query(`create role ${role}`)
      await client.query(
        `alter role ${role} login nosuperuser nocreaterole nocreatedb noreplication password ${pg.escapeLiteral(passwordOf(role, server))};
         alter role ${role} set search_path = public`,
      )
    }
    await client.query(
      `alter role current_user set search_path = public;
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
