import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

const FOUND = 50
/** How catalogues name what goods are charged to. */
const ACCOUNT_FIELDS = ['id', 'uid', 'user_id', 'player_id', 'role_id', 'account', 'phone'] as const
/** What a field of a search takes at most. */
const TEXT_MAX = 200

/**
 * Numbers of the orders that a text names, newest first: an order's number (with blanks and hyphens, as people write it), its public id, a
 * shopper's address, name or phone, and a payment service's reference. Each by an index of its own, exactly; nothing is scanned.
 */
export async function findOrderNumbers(
  db: Db,
  text: string,
  /** Units that are known to be meant, as they hold the code that the text is. */
  unitIds: readonly string[] = [],
  /** Whether people are found by what they are called: not for whoever may not look at them. */
  isOfPeople = true,
): Promise<string[]> {
  const wanted = text.trim().slice(0, TEXT_MAX)
  if (wanted === '') return []
  const bare = wanted.replaceAll(/[\s-]/g, '')
  const { rows } = await sql<{ number: string }>`
    with found as (
      select id from shop_order where number = ${bare} or public_id = ${wanted}
      union select o.id from account a cross join lateral (
        select id from shop_order where account_id = a.id order by created_at desc limit ${FOUND}) as o
        where ${isOfPeople} and (a.email = ${wanted.toLowerCase()} or lower(a.user_name) = ${wanted.toLowerCase()} or a.mobile = ${bare})
      union select order_id from payment_attempt where provider_reference = ${wanted}
      union select order_id from purchase where reference = ${wanted}
      union select order_id from order_unit where id = any(${[...unitIds]}::uuid[])
      union (select l.order_id from unnest(${isOfPeople ? accountsOf(wanted, bare) : []}::jsonb[]) as named (fields) cross join lateral (
        select order_id from order_line where account_fields <> '{}' and account_fields @> named.fields limit ${FOUND}) as l)
    ) select o.number from found join shop_order o using (id) order by o.created_at desc, o.id desc limit ${FOUND}`.execute(
    db,
  )
  return rows.map(({ number }) => number)
}

/** The account fields that a text may be the value of, as they are stored. */
function accountsOf(wanted: string, bare: string): string[] {
  const texts = new Set([wanted, bare, bare.startsWith('+') ? bare : `+${bare}`])
  return ACCOUNT_FIELDS.flatMap((name) =>
    [...texts].map((text) => JSON.stringify({ [name]: text })),
  )
}
