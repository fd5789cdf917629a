import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** A supplier that sells airtime of a country, and how it is told whose phone is meant. */
export interface AirtimeSupplier {
  readonly supplier: string
  /** The supplier's name of each account field of ours, and what it is told beside them. */
  readonly fields: Readonly<Record<string, string>>
  readonly fixed: Readonly<Record<string, string>>
}

/** In the order in which they are bought from; those that rest or are off are not asked. */
export async function listAirtimeSuppliers(
  db: Db,
  country: string,
  now: Date,
): Promise<AirtimeSupplier[]> {
  const { rows } = await sql<AirtimeSupplier>`
    select distinct on (o.supplier) o.supplier, o.fields, o.fixed, min(o.priority) over (partition by o.supplier) as priority
    from supplier_offer o join supplier s on s.code = o.supplier join item i on i.id = o.item join product p on p.code = i.product join brand b on b.code = p.brand
    where b.recharge ->> 'country' = ${country} and o.kind = 'recharge' and o.is_on and s.status = 'on' and (s.rests_until is null or s.rests_until <= ${now})`.execute(
    db,
  )
  return (rows as (AirtimeSupplier & { readonly priority: number })[]).toSorted(
    (a, b) => a.priority - b.priority,
  )
}

/** The operator (a product of ours) that a supplier's product is sold as in a country; null for one that we do not sell. */
export async function findOperatorOf(
  db: Db,
  country: string,
  supplier: string,
  product: string,
): Promise<string | null> {
  const { rows } = await sql<{ operator: string }>`
    select p.code as operator from supplier_offer o join item i on i.id = o.item join product p on p.code = i.product join brand b on b.code = p.brand
    where o.supplier = ${supplier} and o.product = ${product} and o.kind = 'recharge' and b.recharge ->> 'country' = ${country} limit 1`.execute(
    db,
  )
  return rows[0]?.operator ?? null
}
