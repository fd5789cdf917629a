import { z } from 'zod'
import {
  acceptCase,
  assignCase,
  declineCase,
  previewAcceptance,
  setDueDate,
} from '#features/buying/after-sales/commands.ts'
import { CASE_NOTE_MAX } from '#features/buying/after-sales/rules.ts'
import { replaceInCase } from '#features/office/case/commands.ts'
import { makeEvidence, previewEvidence, sendEvidence } from '#features/office/case/flows.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { operatorCall, type ConsoleServices } from '../call.ts'
import { answered } from './order-acts.ts'
import { moment, nothing, operatorName, publicId } from './shapes.ts'

const CASE = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const note = z.string().trim().min(1).max(CASE_NOTE_MAX)
const decision = z.strictObject({ case: publicId, note })
const DECIDED = { case: CASE, note: 'We have looked at it: the key was never used before.' }

const casesAssign = operatorCall({
  path: 'console/cases/assign',
  summary: 'Say who sees to a case',
  description:
    '`from` is who had it as it was seen: where somebody else has it by now, nothing is done. `to` null gives it back to everybody.',
  body: z.strictObject({
    case: publicId,
    from: operatorName.nullable(),
    to: operatorName.nullable(),
  }),
  data: nothing,
  example: { case: CASE, from: null, to: 'tomas' },
  async answer({ ctx }, given) {
    await assignCase(ctx, given)
    return {}
  },
})

const casesDue = operatorCall({
  path: 'console/cases/due',
  summary: 'Note until when a payer’s bank takes evidence',
  body: z.strictObject({ case: publicId, due: moment }),
  data: nothing,
  example: { case: CASE, due: '2026-12-04T23:59:00.000Z' },
  async answer({ ctx }, { case: id, due }) {
    await setDueDate(ctx, { case: id, due: new Date(due) })
    return {}
  },
})

const casesPreview = operatorCall({
  path: 'console/cases/preview',
  summary: 'What agreeing to a case would give back, before it is done',
  body: z.object({ case: publicId }),
  data: z.object({
    amount_minor: z.string(),
    currency: z.string(),
    to: z.enum(['original', 'store_credit']),
    needs_second_person: z.boolean(),
  }),
  example: { case: CASE },
  async answer({ ctx }, { case: id }) {
    const effect = await previewAcceptance(ctx, id)
    return {
      amount_minor: effect.amountMinor.toString(),
      currency: effect.currency,
      to: effect.destination,
      needs_second_person: effect.weighed.needsAnother,
    }
  },
})

const casesAccept = operatorCall({
  path: 'console/cases/accept',
  summary: 'Agree to a case: its units are given back',
  description:
    'The note is read by the shopper. `waits` names what waits for a second person; the case stays open until then.',
  body: decision.extend({
    /** What was seen to go back: where it is another amount by now, nothing is done. */
    amount_minor: z
      .string()
      .regex(/^\d{1,15}$/)
      .optional(),
  }),
  data: answered.extend({ amount_minor: z.string() }),
  example: DECIDED,
  async answer({ ctx }, { amount_minor: seen, ...given }) {
    const expected = seen === undefined ? null : BigInt(seen)
    const { amountMinor, waits } = await acceptCase(ctx, given.case, given.note, expected)
    return { amount_minor: amountMinor.toString(), waits }
  },
})

const casesReplace = operatorCall({
  path: 'console/cases/replace',
  summary: 'Answer a report of faulty keys by other keys',
  description:
    'Each key given counts as what its unit costs; what is above a limit waits for a second person, and the case stays open until it is sent again.',
  body: decision,
  data: z.object({ replaced: z.number(), waits: z.array(z.string()) }),
  example: DECIDED,
  async answer({ ctx }, given) {
    const { replaced, waits } = await replaceInCase(ctx, given.case, given.note)
    return { replaced, waits: [...waits] }
  },
})

const casesDecline = operatorCall({
  path: 'console/cases/decline',
  summary: 'Say no to a case; its order goes on where it was',
  description: 'The note is read by the shopper.',
  body: decision,
  data: nothing,
  example: DECIDED,
  async answer({ ctx }, given) {
    await declineCase(ctx, given.case, given.note)
    return {}
  },
})

const casesEvidence = operatorCall({
  path: 'console/cases/evidence',
  summary: 'The evidence of a dispute as files, for the payer’s bank',
  description:
    'A PDF in the caller’s language, the same facts as JSON, and pictures that were sent; from stored facts alone, never a code. Written to the audit trail.',
  body: z.strictObject({ case: publicId }),
  data: z.object({
    files: z.array(z.object({ name: z.string(), type: z.string(), base64: z.string() })),
  }),
  example: { case: CASE },
  async answer({ ctx, services, language, t }, { case: id }) {
    const files = await makeEvidence(ctx, writerOf(services, language, t), id)
    return {
      files: files.map(({ name, type, content }) => ({
        name,
        type,
        base64: content.toString('base64'),
      })),
    }
  },
})

const casesEvidencePreview = operatorCall({
  path: 'console/cases/evidence_preview',
  summary: 'What would be sent to the provider of a disputed payment, word for word',
  description: 'In English, which banks read; as much of it as the provider takes.',
  body: z.strictObject({ case: publicId }),
  data: z.object({ provider: z.string(), text: z.string() }),
  example: { case: CASE },
  async answer({ ctx, services, language, t }, { case: id }) {
    const { providers } = services.payments
    return { ...(await previewEvidence(ctx, writerOf(services, language, t), providers, id)) }
  },
})

const casesEvidenceSend = operatorCall({
  path: 'console/cases/evidence_send',
  summary: 'Send the evidence of a dispute to its provider, once and for good',
  description:
    'Written down before it is sent: where no answer comes (2436) it is sent again and arrives once. 2423 where it was sent, or the provider takes none from the shop.',
  body: z.strictObject({ case: publicId }),
  data: z.object({
    state: z.enum(['sent', 'refused']),
    /** In the provider’s own words. */
    why: z.string().nullable(),
  }),
  example: { case: CASE },
  async answer({ ctx, services, language, t }, { case: id }) {
    const { providers } = services.payments
    const outcome = await sendEvidence(ctx, writerOf(services, language, t), providers, id)
    return { state: outcome.state, why: outcome.state === 'refused' ? outcome.why : null }
  },
})

const writerOf = (services: ConsoleServices, language: LanguageCode, t: Translate) => ({
  language,
  t,
  timeZone: services.timeZone,
  shop: services.shopName(),
  seller: services.seller(),
  draw: services.drawReceipt,
})

export const CASE_ACTS_CALLS = [
  casesAssign,
  casesDue,
  casesPreview,
  casesAccept,
  casesReplace,
  casesDecline,
  casesEvidence,
  casesEvidencePreview,
  casesEvidenceSend,
] as const
