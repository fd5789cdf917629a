import { sql } from 'kysely'
import { listSavedAccounts, type SavedAccount } from '#features/buying/saved-account/queries.ts'
import { listOrdersByNumber, type ListedOrder } from '#features/buying/order/queries.ts'
import {
  listCredit,
  listNewestTransactions,
  type CreditBalance,
  type Transaction,
} from '#features/buying/transaction/queries.ts'
import type { AccountStatus } from '#features/people/account/rules.ts'
import type { MailKind } from '#features/people/mail/rules.ts'
import { listSessions } from '#features/people/session/queries.ts'
import type { ListedSession } from '#features/people/session/rules.ts'
import { AppError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { COUNTED_MAX, SHOWN_MAX } from '../rules.ts'

/** Who a shopper is. */
export interface ShopperFacts {
  readonly id: string
  readonly accountId: string
  readonly uid: string
  readonly nickname: string
  readonly userName: string
  readonly email: string
  readonly mobile: string | null
  readonly language: LanguageCode
  readonly level: number
  readonly status: AccountStatus
  readonly registeredAt: Date
  readonly frozenAt: Date | null
  readonly eraseAt: Date | null
  readonly hasPassword: boolean
  readonly passkeys: number
  readonly hasSecondFactor: boolean
  readonly services: readonly string[]
}

export interface ShopperMail {
  readonly id: string
  readonly kind: MailKind
  readonly createdAt: Date
  readonly sentAt: Date | null
  /** Number of the order it is about. */
  readonly order: string | null
}

export interface ShopperCase {
  readonly id: string
  readonly kind: string
  readonly reason: string
  readonly status: string
  readonly order: string
  readonly createdAt: Date
}

export interface ShopperNote {
  readonly id: string
  readonly author: string
  readonly text: string
  readonly createdAt: Date
}

/** What was done to the account, by its owner or by operators. */
export interface ShopperChange {
  readonly at: Date
  readonly actor: string
  readonly action: string
}

/** Counted to COUNTED_MAX orders and no further, newest first. */
export interface ShopperFigures {
  readonly orders: number
  readonly paid: readonly {
    readonly currency: string
    readonly paidMinor: bigint
    readonly refundedMinor: bigint
  }[]
  readonly disputes: number
}

export interface ShopperFile {
  readonly facts: ShopperFacts
  readonly figures: ShopperFigures
  readonly credit: readonly CreditBalance[]
  readonly orders: readonly ListedOrder[]
  readonly money: readonly Transaction[]
  readonly cases: readonly ShopperCase[]
  readonly mails: readonly ShopperMail[]
  readonly sessions: readonly ListedSession[]
  readonly players: readonly SavedAccount[]
  readonly notes: readonly ShopperNote[]
  readonly changes: readonly ShopperChange[]
}

/** Everything a shopper's page tells, the newest of each kind. Throws 'not_found' for nobody, and for who was erased. */
export async function readFile(
  ctx: Pick<Ctx, 'db' | 'now'>,
  publicId: string,
): Promise<ShopperFile> {
  const { db } = ctx
  const facts = await readFacts(db, publicId)
  const { accountId } = facts
  const [figures, credit, orders, money, cases, mails, sessions, players, notes, changes] =
    await Promise.all([
      readFigures(db, accountId),
      listCredit(db, accountId),
      readOrders(db, accountId),
      listNewestTransactions(db, accountId, SHOWN_MAX),
      readCases(db, accountId),
      readMails(db, accountId),
      listSessions(db, ctx, { accountId, sessionId: '' }),
      listSavedAccounts(db, accountId, null),
      readNotes(db, accountId),
      readChanges(db, accountId),
    ])
  return {
    facts,
    figures,
    credit,
    orders,
    money,
    cases,
    mails,
    sessions,
    players,
    notes,
    changes,
  }
}

async function readFacts(db: Db, publicId: string): Promise<ShopperFacts> {
  const { rows } = await sql<ShopperFacts>`
    select a.user_id as id, a.id as "accountId", a.uid::text as uid, a.nickname, a.user_name as "userName", a.email, a.mobile, a.language, a.role_id as level,
      a.status, a.registered_at as "registeredAt", a.frozen_at as "frozenAt", a.erase_at as "eraseAt", a.password_hash is not null as "hasPassword",
      (select count(*)::integer from passkey where account_id = a.id) as passkeys,
      exists (select from second_factor where account_id = a.id and confirmed_at is not null) as "hasSecondFactor",
      array(select platform::text from linked_identity where account_id = a.id order by linked_at) as services
    from account a where a.user_id = ${publicId} and a.status <> 'erased'`.execute(db)
  const facts = rows[0]
  if (!facts) throw new AppError('not_found')
  return facts
}

async function readFigures(db: Db, accountId: string): Promise<ShopperFigures> {
  const { rows } = await sql<{
    currency: string
    orders: number
    paid: string
    refunded: string
  }>`
    select currency, count(*)::integer as orders, sum(captured_minor)::text as paid, sum(refunded_minor)::text as refunded
    from (select currency, captured_minor, refunded_minor from shop_order where account_id = ${accountId} order by created_at desc, id desc limit ${COUNTED_MAX}) as newest
    group by currency order by sum(captured_minor) desc, currency`.execute(db)
  const disputes = await sql<{ count: number }>`
    select count(*)::integer as count from service_case where account_id = ${accountId} and kind = 'dispute'`.execute(
    db,
  )
  return {
    orders: rows.reduce((sum, { orders }) => sum + orders, 0),
    paid: rows
      .filter(({ paid }) => paid !== '0')
      .map(({ currency, paid, refunded }) => ({
        currency,
        paidMinor: BigInt(paid),
        refundedMinor: BigInt(refunded),
      })),
    disputes: disputes.rows[0]?.count ?? 0,
  }
}

async function readOrders(db: Db, accountId: string): Promise<ListedOrder[]> {
  const rows = await db
    .selectFrom('shop_order')
    .select('number')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  return listOrdersByNumber(
    db,
    rows.map(({ number }) => number),
  )
}

async function readCases(db: Db, accountId: string): Promise<ShopperCase[]> {
  const { rows } = await sql<ShopperCase>`
    select c.public_id as id, c.kind, c.reason, c.status, o.number as order, c.created_at as "createdAt"
    from service_case c join shop_order o on o.id = c.order_id where c.account_id = ${accountId}
    order by c.created_at desc, c.id desc limit ${SHOWN_MAX}`.execute(db)
  return rows
}

async function readMails(db: Db, accountId: string): Promise<ShopperMail[]> {
  const { rows } = await sql<ShopperMail>`
    select id, kind, created_at as "createdAt", sent_at as "sentAt", params->'order'->>'number' as order
    from outgoing_mail where account_id = ${accountId} order by created_at desc, id desc limit ${SHOWN_MAX}`.execute(
    db,
  )
  return rows
}

async function readNotes(db: Db, accountId: string): Promise<ShopperNote[]> {
  const { rows } = await sql<ShopperNote>`
    select public_id as id, author, text, created_at as "createdAt" from shopper_note where account_id = ${accountId}
    order by created_at desc, id desc limit ${SHOWN_MAX}`.execute(db)
  return rows
}

async function readChanges(db: Db, accountId: string): Promise<ShopperChange[]> {
  const { rows } = await sql<ShopperChange>`
    select at, actor, action from audit_log where subject = 'account' and subject_code = ${accountId}
    order by at desc, id desc limit ${SHOWN_MAX}`.execute(db)
  return rows
}

/** What the team notes of a shopper, for the export of everything about them. */
export async function exportShopperNote(
  db: Db,
  accountId: string,
): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('shopper_note')
    .select(['text', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ text: row.text, created_at: row.created_at.toISOString() }))
}
