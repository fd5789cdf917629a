import { recordAct, recordLook } from '#features/base/audit/commands.ts'
import {
  freezeAccount,
  lockShopper,
  releaseAccount,
  type LockedShopper,
} from '#features/people/account/commands.ts'
import { endListedSession, endSessions } from '#features/people/session/commands.ts'
import { stillActing, type OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { transaction, type Tx } from '#platform/ctx.ts'
import { readFile, type ShopperFile } from '../read/file.ts'
import { writeNote } from './note.ts'

/** Reads a shopper's file, which the audit tells of. Throws 'not_found' for nobody, and for who was erased. */
export async function openFile(ctx: OperatorCtx, shopper: string): Promise<ShopperFile> {
  requirePermission(ctx, 'shopper.read')
  const file = await readFile(ctx, shopper)
  await transaction(ctx, (tx) =>
    recordLook(tx, ctx, {
      action: 'shopper_seen',
      subject: 'account',
      subjectCode: file.facts.accountId,
      after: {},
    }),
  )
  return file
}

/** Writes down that shoppers were looked for, and how many were shown; never what was typed. */
export async function noteFind(ctx: OperatorCtx, found: number): Promise<void> {
  await transaction(ctx, (tx) =>
    recordAct(tx, ctx, {
      action: 'shoppers_sought',
      subject: 'account',
      subjectCode: '',
      after: { found: String(found) },
    }),
  )
}

interface Reasoned {
  readonly shopper: string
  readonly reason: string
}

/**
 * Shuts an account until somebody releases it; why is noted for colleagues. Throws 'not_found', 'changed_meanwhile' where it is frozen or
 * being cancelled already.
 */
export async function freezeShopper(ctx: OperatorCtx, asked: Reasoned): Promise<void> {
  await change(ctx, asked, 'freeze', (tx, found) => freezeAccount(tx, ctx, found))
}

/** Opens it again. Throws 'not_found', 'changed_meanwhile' where it is not frozen. */
export async function releaseShopper(ctx: OperatorCtx, asked: Reasoned): Promise<void> {
  await change(ctx, asked, 'release', (tx, found) => releaseAccount(tx, found))
}

async function change(
  ctx: OperatorCtx,
  { shopper, reason }: Reasoned,
  action: 'freeze' | 'release',
  work: (tx: Tx, found: LockedShopper) => Promise<void>,
): Promise<void> {
  requirePermission(ctx, 'shopper.change')
  await transaction(ctx, async (tx) => {
    await stillActing(tx, ctx)
    const found = await lockShopper(tx, shopper)
    await work(tx, found)
    await recordAct(tx, ctx, {
      action,
      subject: 'account',
      subjectCode: found.id,
      after: { was: found.status },
    })
    await writeNote(tx, ctx, found.id, reason)
  })
}

/** Signs a shopper out: of one browser, or everywhere. Throws 'not_found' for who or what is not there. @returns how many ended */
export async function endShopperSessions(
  ctx: OperatorCtx,
  { shopper, session }: { readonly shopper: string; readonly session: string | null },
): Promise<number> {
  requirePermission(ctx, 'shopper.change')
  return transaction(ctx, async (tx) => {
    const { id } = await lockShopper(tx, shopper)
    const ended =
      session === null
        ? await endSessions(tx, id)
        : Number(await endListedSession(tx, { accountId: id }, session))
    if (session !== null && ended === 0) throw new AppError('not_found')
    await recordAct(tx, ctx, {
      action: 'sessions_ended',
      subject: 'account',
      subjectCode: id,
      after: { ended: String(ended) },
    })
    return ended
  })
}
