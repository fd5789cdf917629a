import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** An act that was decided and of which the part that comes after is still to be done. */
export interface Undone {
  readonly id: string
  readonly kind: 'doubt_failure' | 'stray_return'
  readonly subject: string
  readonly proof: string | null
  readonly decidedBy: string
}

const A_PAGE = 100
/** Whoever has decided it does the rest at once, and is left so long to do it. */
const THEIR_TURN_MS = 60_000
/** What could not be done for so long is a person's to look at: it is listed with what it is about. */
const TRIED_MS = 7 * 86_400_000

/** Behind `last`, the oldest first. */
export async function listUndone(db: Db, now: Date, last: Undone | null): Promise<Undone[]> {
  const { rows } = await sql<Undone>`
    select a.id, a.kind, a.subject, a.details->>'proof' as proof, a.decided_by as "decidedBy" from operator_act a
    where a.kind in ('doubt_failure', 'stray_return') and a.status in ('given', 'approved') and a.id > ${last?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid
      and a.decided_at > ${new Date(now.getTime() - TRIED_MS)} and a.decided_at <= ${new Date(now.getTime() - THEIR_TURN_MS)}
      and (exists (select from purchase p where a.kind = 'doubt_failure' and p.reference = a.subject and p.status = 'doubt')
        or exists (select from stray_payment s where a.kind = 'stray_return' and s.public_id = a.subject and s.outcome is null))
      -- A person sees to it otherwise, and waits for another's yes.
      and not exists (select from operator_act c where c.kind = 'stray_close' and c.subject = a.subject and c.status = 'waiting' and c.ends_at > ${now})
    order by a.id limit ${A_PAGE}`.execute(db)
  return rows
}
