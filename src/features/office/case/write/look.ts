import { recordAct, recordLook } from '#features/base/audit/commands.ts'
import { readCaseFile, type CaseFile } from '#features/buying/after-sales/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { transaction } from '#platform/ctx.ts'

/** Reads a case with its evidence, which the audit tells of. Throws 'not_found'. */
export async function openCaseFile(
  ctx: OperatorCtx,
  publicId: string,
  action: 'case_seen' | 'case_exported' = 'case_seen',
): Promise<CaseFile> {
  requirePermission(ctx, 'case.read')
  const file = await readCaseFile(ctx.db, publicId)
  const note = action === 'case_seen' ? recordLook : recordAct
  await transaction(ctx, (tx) =>
    note(tx, ctx, {
      action,
      subject: 'service_case',
      subjectCode: publicId,
      after: { order: file.order.number },
    }),
  )
  return file
}
