import { listOrderPictures } from '#features/buying/after-sales/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { evidenceContent, evidenceFacts, type EvidenceWriter } from './engine/evidence.ts'
import { openCaseFile } from './write/look.ts'

export { previewEvidence, sendEvidence } from './flow/send-evidence.ts'

export interface EvidenceFile {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

/**
 * What the shop knows about a disputed payment, as its payer's bank wants it: a PDF to read, the same facts as JSON, and the pictures that were
 * sent with questions about its order. From stored facts alone; a code is never among them. Throws 'not_found', 'order_closed' for what is no dispute.
 */
export async function makeEvidence(
  ctx: OperatorCtx,
  writer: EvidenceWriter,
  publicId: string,
): Promise<readonly EvidenceFile[]> {
  requirePermission(ctx, 'case.decide')
  const file = await openCaseFile(ctx, publicId, 'case_exported')
  if (file.kind !== 'dispute') throw new AppError('order_closed')
  const name = `evidence-${file.order.number}`
  const pictures = await listOrderPictures(ctx.db, file.order.number)
  const pdf = await writer.draw(evidenceContent(writer, file), ctx.now())
  return [
    { name: `${name}.pdf`, type: 'application/pdf', content: pdf },
    {
      name: `${name}.json`,
      type: 'application/json',
      content: Buffer.from(JSON.stringify(evidenceFacts(file), null, 2)),
    },
    ...pictures.map((content, index) => ({
      name: `${name}-${index + 1}.webp`,
      type: 'image/webp',
      content,
    })),
  ]
}
