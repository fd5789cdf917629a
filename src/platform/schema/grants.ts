import pg from 'pg'

/** Written once and never changed: the program may add rows and read them. */
const APPEND_ONLY = [
  'audit_log',
  'key_access',
  'ledger_transfer',
  'order_event',
  'price_input',
  'sales_invoice',
  'tax_booking',
  'tax_class',
  'tax_rate',
] as const
/** Written by migrations and those who apply them. */
const READ_ONLY = [
  'audit_seal',
  'expansion',
  'function_edition',
  'migration',
  'transition_rule',
] as const
export const QUEUE_SCHEMA = 'graphile_worker'

/**
 * What the program's role may do with tables that another role owns: read and write rows, but no more than add them where they
 * are never changed. The job queue's tables are the program's own, as only their owner gets past their row security; their schema
 * is made for it, so that it may make none.
 */
export async function grantToProgram(client: pg.Client, program: string): Promise<void> {
  const role = pg.escapeIdentifier(program)
  const { rows } = await client.query<{ database: string }>('select current_database() as database')
  const database = pg.escapeIdentifier(rows[0]?.database ?? '')
  await client.query('begin')
  try {
    await client.query(
      // Who is given a schema has to be one who may make some; nobody sees it before it is taken back.
      `grant create on database ${database} to ${role};
       grant usage on schema public to ${role};
       grant select, insert, update, delete on all tables in schema public to ${role};
       grant usage, select on all sequences in schema public to ${role};
       -- An import goes past the numbers of reviews that it brought along.
       grant update on sequence review_number to ${role};
       revoke update, delete on ${APPEND_ONLY.join(', ')} from ${role};
       grant update (is_to_tell) on order_event to ${role};
       grant update (buyer) on sales_invoice to ${role};
       revoke delete on ledger_account from ${role};
       revoke insert, update, delete on ${READ_ONLY.join(', ')} from ${role}`,
    )
    await moveOwnership(client, QUEUE_SCHEMA, program)
    // A schema of its own making, named like the owner, would be taken for the shop's tables by whoever works as that.
    await client.query(`revoke create on database ${database} from ${role}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Gives everything of a schema to a role; what is the role's already stays untouched. A schema that is not there is fine. */
export async function moveOwnership(
  client: pg.Client,
  schema: string,
  owner: string,
): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter %s %s owner to %I', kind, name, $2::text) as statement
     from (
       select 1 as place, 'schema' as kind, quote_ident(nspname) as name, nspowner as owner
         from pg_namespace where nspname = $1 and nspname <> 'public'
       union all
       select 2, case relkind when 'v' then 'view' when 'S' then 'sequence' when 'c' then 'type' else 'table' end,
         format('%I.%I', $1, relname), relowner
         from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p', 'v', 'S', 'c')
           -- A column's own sequence goes with its table.
           and not exists (select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass
             and relkind = 'S' and deptype in ('a', 'i'))
       union all
       select 3, case prokind when 'p' then 'procedure' else 'function' end, oid::regprocedure::text, proowner
         from pg_proc where pronamespace = to_regnamespace($1)
       union all
       select 4, case typtype when 'd' then 'domain' else 'type' end, format('%I.%I', $1, typname), typowner
         from pg_type where typnamespace = to_regnamespace($1) and typtype in ('d', 'e')
     ) as owned
     where owner <> $2::regrole order by place, name`,
    [schema, owner],
  )
  for (const { statement } of rows) await client.query(statement)
}
