import { sql } from 'kysely'
import type { UnitStatus } from '#features/buying/order/rules.ts'
import { hasKeepable } from '#features/buying/refund/queries.ts'
import { AppError } from '#kernel/error.ts'
import type { Db } from '#platform/db.ts'

/** What an order's page tells beside its history, its payments and refunds. */
export interface DeskSheet {
  readonly version: string
  readonly currency: string
  readonly isSettled: boolean
  /** Money of it came late or too little, and is still here. */
  readonly isKeepable: boolean
  readonly shopper: {
    /** Public id; null of an account that was erased. */
    readonly id: string | null
    readonly name: string
    readonly email: string | null
    readonly uid: string
  }
  readonly evidence: Readonly<Record<string, unknown>>
  readonly terms: string
  readonly agreedAt: Date | null
  readonly lines: readonly {
    readonly goods: string
    readonly quantity: number
    readonly price: string
    readonly steps: readonly Readonly<Record<string, string | number | null>>[] | null
  }[]
  readonly units: readonly DeskUnit[]
  readonly notes: readonly { readonly author: string; readonly text: string; readonly at: Date }[]
  readonly mails: readonly {
    readonly kind: string
    readonly at: Date
    readonly sentAt: Date | null
    readonly isGivenUp: boolean
  }[]
  readonly movements: readonly {
    readonly at: Date
    readonly source: string
    readonly debit: string
    readonly credit: string
    readonly currency: string
    readonly amount: string
  }[]
}

export interface DeskUnit {
  readonly id: string
  /** Code of its product. */
  readonly product: string
  readonly goods: string
  readonly status: UnitStatus
  readonly delivery: 'card_key' | 'direct_charge' | 'store_credit'
  readonly price: string
  readonly deliveredAt: Date | null
  readonly claimedBy: string | null
  readonly proof: string | null
  /** Bought at a supplier once it is paid. */
  readonly isToOrder: boolean
  /** Last characters of its code; null where it holds none. */
  readonly code: string | null
  readonly isSeen: boolean
  readonly isReplaced: boolean
  readonly waitsFor: string | null
  readonly held: 'price' | 'known' | null
  readonly attempts: readonly {
    readonly supplier: string
    readonly reference: string
    readonly status: string
    readonly code: string | null
  }[]
}

/** Throws 'not_found'. */
export async function readDeskSheet(db: Db, number: string): Promise<DeskSheet> {
  const { rows } = await sql<
    Omit<
      DeskSheet,
      'lines' | 'units' | 'notes' | 'mails' | 'movements' | 'shopper' | 'isKeepable'
    > & {
      readonly id: string
      readonly publicId: string
      readonly accountId: string
      readonly shopperId: string | null
      readonly name: string
      readonly email: string | null
      readonly uid: string
    }
  >`
    select o.id, o.public_id as "publicId", o.account_id as "accountId", o.currency, o.settled_at is not null as "isSettled", o.evidence, o.terms_version as terms,
      o.waived_at as "agreedAt", a.nickname as name, a.email, case when a.status <> 'erased' then a.user_id end as "shopperId", a.uid::text as uid,
      coalesce((select e.seq from order_event e where e.order_id = o.id order by e.seq desc limit 1), 0)::text as version
    from shop_order o join account a on a.id = o.account_id where o.number = ${number}`.execute(db)
  const order = rows[0]
  if (!order) throw new AppError('not_found')
  const { id, publicId, accountId, shopperId, name, email, uid, ...rest } = order
  const [lines, units, notes, mails, movements, isKeepable] = await Promise.all([
    listLines(db, id),
    listUnits(db, id),
    listNotes(db, id),
    listMails(db, accountId, publicId),
    listMovements(db, id),
    hasKeepable(db, number),
  ])
  return {
    ...rest,
    isKeepable,
    shopper: { id: shopperId, name, email, uid },
    lines,
    units,
    notes,
    mails,
    movements,
  }
}

async function listLines(db: Db, orderId: string): Promise<DeskSheet['lines']> {
  const { rows } = await sql<DeskSheet['lines'][number]>`
    select product_name || ', ' || item_name as goods, quantity, price_minor::text as price, price_steps as steps
    from order_line where order_id = ${orderId} order by position`.execute(db)
  return rows
}

async function listUnits(db: Db, orderId: string): Promise<DeskSheet['units']> {
  const { rows } = await sql<DeskUnit>`
    select u.public_id as id, l.product, l.product_name || ', ' || l.item_name as goods, u.status, u.delivery, u.price_minor::text as price, u.delivered_at as "deliveredAt",
      u.claimed_by as "claimedBy", u.proof, u.to_order as "isToOrder", k.last_four as code, k.revealed_at is not null as "isSeen",
      exists (select from key_replacement r where r.unit_id = u.id) as "isReplaced", q.supplier as "waitsFor", q.held,
      coalesce((select json_agg(json_build_object('supplier', p.supplier, 'reference', p.reference, 'status', p.status, 'code', p.failure_code) order by p.created_at)
        from purchase_unit n join purchase p on p.id = n.purchase_id where n.unit_id = u.id), '[]') as attempts
    from order_unit u join order_line l on l.id = u.line_id left join card_key k on k.unit_id = u.id and k.delivered_at is not null left join supply_queue q on q.unit_id = u.id
    where u.order_id = ${orderId} order by l.position, u.unit_no`.execute(db)
  return rows
}

function listNotes(db: Db, orderId: string): Promise<DeskSheet['notes']> {
  return db
    .selectFrom('order_note')
    .select(['author', 'text', 'created_at as at'])
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Mails about it, oldest first; those that were sent long ago are gone. */
async function listMails(db: Db, accountId: string, order: string): Promise<DeskSheet['mails']> {
  const { rows } = await sql<DeskSheet['mails'][number]>`
    select kind, created_at as at, sent_at as "sentAt", sent_at is null and recipient is null as "isGivenUp" from outgoing_mail
    where account_id = ${accountId} and params->'order'->>'id' = ${order} order by created_at, id`.execute(
    db,
  )
  return rows
}

/** Every movement of the books that is the order's. Whose store credit it was stands beside the order already. */
async function listMovements(db: Db, orderId: string): Promise<DeskSheet['movements']> {
  const { rows } = await sql<DeskSheet['movements'][number]>`
    with own (source, id) as (
      select kind, p.id from payment_attempt p cross join unnest(array['capture','spend','unspend','write_off','write_off_undone','reclaim','reclaim_undone']) as kind where p.order_id = ${orderId}
      union all select unnest(array['shortfall','settle']), ${orderId}::uuid
      union all select 'deliver', id from order_unit where order_id = ${orderId}
      union all select kind, r.id from refund r cross join unnest(array['refund','refund_undone','refund_rest','refund_rest_undone']) as kind where r.order_id = ${orderId}
    )
    select t.at, t.source, regexp_replace(d.code, '^(store_credit|credit_debt):.*$', '\\1') as debit, regexp_replace(c.code, '^(store_credit|credit_debt):.*$', '\\1') as credit,
      t.currency, t.amount_minor::text as amount
    from own join ledger_transfer t on t.source = own.source and t.source_id = own.id join ledger_account d on d.id = t.debit join ledger_account c on c.id = t.credit
    order by t.at, array_position(array['capture','shortfall','settle'], t.source), t.id`.execute(
    db,
  )
  return rows
}
