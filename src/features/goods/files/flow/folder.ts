import { createHash } from 'node:crypto'
import { recordAudit } from '#features/base/audit/commands.ts'
import { importDocuments, isFolderFile, readFiles } from '#features/goods/transfer/commands.ts'
import type { ImportReport } from '#features/goods/transfer/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { endFile, endLook, noteStep, type Looked } from '../commands.ts'
import { zipFiles } from '../engine/zip.ts'
import type { FileReport, GoodsFile } from '../rules.ts'

const contentsOf = (bytes: Buffer) => readFiles(zipFiles(bytes, isFolderFile))

/** It is none any more, or other than it was seen: what was begun is taken back. */
class Otherwise extends Error {}

function reportOf({ changes, faults }: ImportReport): FileReport {
  const made = (name: 'brand' | 'product' | 'item') => changes.get(name)?.created ?? 0
  const all = [...changes.values()]
  const sum = (pick: (one: (typeof all)[number]) => number) =>
    all.reduce((total, one) => total + pick(one), 0)
  const goods = made('brand') + made('product') + made('item')
  return {
    brands: made('brand'),
    products: made('product'),
    items: made('item'),
    changed: sum(({ created, updated, resumed }) => created + updated + resumed) - goods,
    suspended: sum(({ suspended }) => suspended),
    faults: faults.length,
  }
}

function lookedOf(report: ImportReport): Looked {
  return {
    report: reportOf(report),
    faults: report.faults.map(({ file, path, message }) => ({
      line: null,
      place: path === '' ? file : `${file} ${path}`,
      shown: '',
      reason: null,
      why: message,
    })),
    hash:
      report.hash ?? createHash('sha256').update(JSON.stringify(report.faults)).digest('base64url'),
  }
}

export async function lookAtFolder(
  ctx: OperatorCtx,
  file: GoodsFile,
  bytes: Buffer,
): Promise<void> {
  if (!(await noteStep(ctx, file, { step: 0, steps: 2 }))) return
  const report = await importDocuments(ctx, contentsOf(bytes), { isTrial: true })
  await endLook(ctx, file, lookedOf(report))
}

/** Brings the shop to what a folder says, in one transaction with the end of the file: it is done whole and once, or not at all. */
export async function takeFolder(ctx: OperatorCtx, file: GoodsFile, bytes: Buffer): Promise<void> {
  if (!(await noteStep(ctx, file, { step: 1, steps: 2 }))) return
  const contents = contentsOf(bytes)
  try {
    const report = await importDocuments(ctx, contents, {
      before: (_tx, { hash }) =>
        hash === file.hash ? Promise.resolve() : Promise.reject(new Otherwise()),
      after: async (tx, came) => {
        const told = reportOf(came)
        const made = (told.brands ?? 0) + (told.products ?? 0) + (told.items ?? 0)
        const done = {
          made,
          changed: (told.changed ?? 0) + (told.suspended ?? 0),
          waits: 0,
          left: 0,
        }
        const now = ctx.now()
        if (!(await endFile(tx, now, file, { state: 'done', report: { ...told, done } })))
          throw new Otherwise()
        await recordAudit(tx, ctx, now, [
          {
            action: 'import',
            subject: 'catalogue',
            subjectCode: came.source,
            before: null,
            after: { changes: came.changeCount },
          },
        ])
      },
    })
    if (report.faults.length > 0) await endLook(ctx, file, lookedOf(report))
  } catch (error) {
    if (!(error instanceof Otherwise)) throw error
    const { report, ...looked } = lookedOf(await importDocuments(ctx, contents, { isTrial: true }))
    await endLook(ctx, file, { ...looked, report: { ...report, isMoved: true } })
  }
}
