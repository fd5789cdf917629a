import type { HoldPriceEffect } from '#features/goods/editing/commands.ts'
import type { CatalogueFiles } from '#features/goods/transfer/rules.ts'
import { actingAs, findByToken, type OperatorCtx } from '#features/team/operator/commands.ts'
import { findOperator } from '#features/team/operator/queries.ts'
import { isAppError } from '#kernel/error.ts'
import { transaction, type Ctx } from '#platform/ctx.ts'
import { isBusy } from '#platform/db.ts'
import { assertMayFile, endFile, noteStep, takeGoodsFileWork } from './commands.ts'
import { lookAtFolder, takeFolder } from './flow/folder.ts'
import { makeFolder, makeTable } from './flow/made.ts'
import { lookAtTable, takeTable } from './flow/table.ts'
import { readFilePiece } from './queries.ts'
import { UselessFile, type FileFailure, type GoodsFile } from './rules.ts'

/** What files of goods are worked on with. */
export interface FileMeans {
  readonly hold: HoldPriceEffect
  readonly readCatalogue: (ctx: Ctx) => Promise<CatalogueFiles>
}

/**
 * Goes on with every file of goods that waits for the program, in the name of who asked for it and with what they, or the token that spoke for
 * them, may do now. One that a process left is taken up where it stood.
 */
export async function workGoodsFiles(
  ctx: Ctx,
  means: FileMeans,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const file = await takeGoodsFileWork(ctx)
    if (!file) return
    const operator =
      file.token === null
        ? await findOperator(ctx.db, file.operatorId)
        : await findByToken(ctx, file.operatorId, file.token)
    if (!operator) {
      await fail(ctx, file, 'forbidden')
      continue
    }
    try {
      await workOn(actingAs(ctx, operator), file, means, signal)
    } catch (error) {
      // Somebody is in the way for a moment: the next turn goes on where this one stood.
      if (isBusy(error)) return
      const failure = failureOf(error)
      // Cancelled while it was worked on, or taken over by another process: nothing is left to say.
      if ((await fail(ctx, file, failure)) && failure === 'internal') throw error
    }
  }
}

async function workOn(
  ctx: OperatorCtx,
  file: GoodsFile,
  means: FileMeans,
  signal: AbortSignal,
): Promise<void> {
  assertMayFile(ctx, file.kind)
  if (file.kind === 'csv_out') return makeTable(ctx, file, signal)
  if (file.kind === 'folder_out') return makeFolder(ctx, file, means.readCatalogue, signal)
  const isTaken = file.state === 'taking'
  if (!isTaken && !(await noteStep(ctx, file, { step: 0, steps: 0, state: 'checking' }))) return
  const bytes = await bytesOf(ctx, file)
  if (file.kind === 'folder_in')
    return isTaken ? takeFolder(ctx, file, bytes) : lookAtFolder(ctx, file, bytes)
  return isTaken
    ? takeTable(ctx, file, bytes, { hold: means.hold, signal })
    : lookAtTable(ctx, file, bytes)
}

async function bytesOf(ctx: Ctx, { id, pieces }: GoodsFile): Promise<Buffer> {
  const all: Buffer[] = []
  for (let no = 0; no < pieces; no += 1) all.push(await readFilePiece(ctx.db, id, no))
  return Buffer.concat(all)
}

function failureOf(error: unknown): FileFailure {
  if (error instanceof UselessFile) return error.failure
  return isAppError(error) && error.code === 'forbidden' ? 'forbidden' : 'internal'
}

const fail = (ctx: Ctx, file: GoodsFile, failure: FileFailure): Promise<boolean> =>
  transaction(ctx, (tx, now) => endFile(tx, now, file, { state: 'failed', failure }))
