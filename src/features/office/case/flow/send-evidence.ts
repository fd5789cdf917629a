import type { CaseFile } from '#features/buying/after-sales/queries.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError } from '#kernel/error.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { ProviderRefusal, type DisputeDesk, type Providers } from '#providers/payment/provider.ts'
import { evidenceText, type EvidenceWriter } from '../engine/evidence.ts'
import { beginEvidence, endEvidence } from '../write/evidence.ts'
import { openCaseFile } from '../write/look.ts'

/** What would be sent, to whom, word for word. */
export interface EvidencePreview {
  readonly provider: string
  readonly text: string
}

export type EvidenceOutcome =
  | { readonly state: 'sent' }
  | { readonly state: 'refused'; readonly why: string }

interface Answerable {
  readonly provider: string
  readonly reference: string
  readonly desk: DisputeDesk
}

/** Throws 'not_found', and 'order_closed' for what is no open dispute, or one whose provider takes no evidence from the shop. */
export async function previewEvidence(
  ctx: OperatorCtx,
  writer: EvidenceWriter,
  providers: Providers,
  publicId: string,
): Promise<EvidencePreview> {
  requirePermission(ctx, 'case.decide')
  const file = await openCaseFile(ctx, publicId)
  const { provider, desk } = answerable(file, providers)
  return { provider, text: textOf(writer, file, desk) }
}

/**
 * Hands the evidence of a dispute over to its provider, once and for good. It is written down before anything is sent; where no answer comes
 * ('payment_unreachable') it is sent again under the same name. Throws as `previewEvidence` does, and 'order_closed' where it was sent.
 */
export async function sendEvidence(
  ctx: OperatorCtx,
  writer: EvidenceWriter,
  providers: Providers,
  publicId: string,
): Promise<EvidenceOutcome> {
  requirePermission(ctx, 'case.decide')
  const file = await openCaseFile(ctx, publicId, 'case_exported')
  const { provider, reference, desk } = answerable(file, providers)
  const id = await beginEvidence(ctx, publicId, provider)
  try {
    const dispute = await desk.answer({
      ourReference: id,
      paymentReference: reference,
      text: textOf(writer, file, desk),
      email: file.shopper.email,
    })
    await endEvidence(ctx, publicId, id, { reference: dispute })
    return { state: 'sent' }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) {
      ctx.log.warn('evidence of a dispute may not have arrived', { provider, error })
      throw new AppError('payment_unreachable')
    }
    await endEvidence(ctx, publicId, id, { failure: error.message })
    return { state: 'refused', why: error.message }
  }
}

function answerable({ kind, status, payment }: CaseFile, providers: Providers): Answerable {
  const desk = payment ? providers.get(payment.provider)?.disputes : undefined
  if (kind !== 'dispute' || status !== 'open' || !payment?.reference || !desk)
    throw new AppError('order_closed')
  return { provider: payment.provider, reference: payment.reference, desk }
}

/** Banks read English. */
const textOf = (writer: EvidenceWriter, file: CaseFile, { textMost }: DisputeDesk): string =>
  evidenceText({ ...writer, language: 'en', t: translatorOf('en') }, file, textMost)
