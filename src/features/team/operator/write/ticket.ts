import { AppError } from '#kernel/error.ts'
import type { Ctx, Tx } from '#platform/ctx.ts'
import { newSecret, sha256 } from '#platform/secrets.ts'
import { TICKET_LIFE_MS, TICKET_TRIES } from '../rules.ts'

/** 'factor': the password was right, the factor is missing. 'enrol': there is none yet, and one is to be made. */
export type TicketPurpose = 'factor' | 'enrol' | 'passkey'

export interface Ticket {
  readonly id: string
  readonly operatorId: string | null
  readonly data: Readonly<Record<string, unknown>>
}

const SECRET = /^[A-Za-z0-9_-]{43}$/

export async function issueTicket(
  tx: Tx,
  ctx: Ctx,
  wanted: {
    readonly purpose: TicketPurpose
    readonly operatorId: string | null
    readonly data?: Readonly<Record<string, unknown>>
  },
): Promise<string> {
  const secret = newSecret(ctx)
  const now = ctx.now()
  await tx
    .insertInto('operator_ticket')
    .values({
      id: ctx.newId(),
      purpose: wanted.purpose,
      operator_id: wanted.operatorId,
      digest: sha256(secret),
      data: JSON.stringify(wanted.data ?? {}),
      created_at: now,
      expires_at: new Date(now.getTime() + TICKET_LIFE_MS),
    })
    .execute()
  return secret
}

/** Counts a try with a ticket, in a statement of its own. Throws 'ticket_expired' for one that has ended, was used, or has no tries left. */
export async function tryTicket(
  ctx: Ctx,
  purpose: TicketPurpose,
  secret: string,
): Promise<Ticket & { readonly operatorId: string }> {
  const row = SECRET.test(secret)
    ? await ctx.db
        .updateTable('operator_ticket')
        .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .where('digest', '=', sha256(secret))
        .where('purpose', '=', purpose)
        .where('used_at', 'is', null)
        .where('expires_at', '>', ctx.now())
        .where('tries', '<', TICKET_TRIES)
        .returning(['id', 'operator_id', 'data'])
        .executeTakeFirst()
    : undefined
  if (!row?.operator_id) throw new AppError('ticket_expired')
  return { id: row.id, operatorId: row.operator_id, data: dataOf(row.data) }
}

/** What a ticket stands for, without counting a try. Throws 'ticket_expired'. */
export async function lookAtTicket(
  ctx: Ctx,
  purpose: TicketPurpose,
  secret: string,
): Promise<Ticket & { readonly operatorId: string }> {
  const row = SECRET.test(secret)
    ? await ctx.db
        .selectFrom('operator_ticket')
        .select(['id', 'operator_id', 'data'])
        .where('digest', '=', sha256(secret))
        .where('purpose', '=', purpose)
        .where('used_at', 'is', null)
        .where('expires_at', '>', ctx.now())
        .where('tries', '<', TICKET_TRIES)
        .executeTakeFirst()
    : undefined
  if (!row?.operator_id) throw new AppError('ticket_expired')
  return { id: row.id, operatorId: row.operator_id, data: dataOf(row.data) }
}

/** Uses up the ticket that an answer names, whatever comes of the answer. Throws 'ticket_expired'. */
export async function takeTicket(
  tx: Tx,
  ctx: Ctx,
  purpose: TicketPurpose,
  secret: string,
): Promise<Ticket> {
  const row = await tx
    .updateTable('operator_ticket')
    .set({ used_at: ctx.now() })
    .where('digest', '=', sha256(secret))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .returning(['id', 'operator_id', 'data'])
    .executeTakeFirst()
  if (!row) throw new AppError('ticket_expired')
  return { id: row.id, operatorId: row.operator_id, data: dataOf(row.data) }
}

/** Uses up a ticket found before. Throws 'ticket_expired' where somebody else has. */
export async function useUpTicket(tx: Tx, ctx: Ctx, id: string): Promise<void> {
  const used = await tx
    .updateTable('operator_ticket')
    .set({ used_at: ctx.now() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (used.numUpdatedRows !== 1n) throw new AppError('ticket_expired')
}

function dataOf(data: unknown): Ticket['data'] {
  const isObject = data !== null && typeof data === 'object' && !Array.isArray(data)
  return isObject ? Object.fromEntries(Object.entries(data)) : {}
}
