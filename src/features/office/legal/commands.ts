import { sql } from 'kysely'
import { recordAudit } from '#features/base/audit/commands.ts'
import { writePage } from '#features/goods/transfer/commands.ts'
import { tellOfAlone } from '#features/office/alert/commands.ts'
import {
  askAboutShop,
  inTurn,
  requireAsker,
  type Turn,
  type Waits,
} from '#features/team/approval/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import type { Act } from '#features/team/approval/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { requirePermission } from '#features/team/operator/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { findLegalRow, versionOf } from './queries.ts'
import { LEGAL_CODES, sectionsOf, writtenText, type LegalCode, type LegalSection } from './rules.ts'

export interface LegalChange {
  readonly code: LegalCode
  readonly title: string
  readonly text: string
  /** Of the text that was read. */
  readonly version: string
}

/**
 * Writes one of the texts that buyers agree to or may rely on. Orders keep the version that their buyer agreed to. It waits wherever somebody else
 * could approve it; of what is done alone every owner is told. Throws 'check_fields' for one that no page can be made of, and
 * 'changed_meanwhile' where somebody else has changed it.
 * @returns the act that waits; null where it is done
 */
export async function saveLegalText(
  ctx: OperatorCtx,
  { code, title: typed, text, version }: LegalChange,
): Promise<Waits> {
  requirePermission(ctx, 'shop.manage')
  const title = typed.trim()
  if (title === '') throw fieldError('title', 'required')
  if (text.trim() === '') throw fieldError('text', 'required')
  const sections = sectionsOf(text)
  if (!sections) throw fieldError('text', 'not_allowed')
  return inTurn(ctx, async (tx, now) => {
    const before = await readTurned(tx, code)
    if (versionOf(before) !== version) throw new AppError('changed_meanwhile')
    if (await hasAnotherApprover(tx, now, [ctx.operator.name], 'shop.manage'))
      return askAboutShop(tx, ctx, {
        kind: 'legal_text',
        subject: code,
        details: { title, text: writtenText(sections), version },
      })
    await put(tx, ctx, before, { code, title, sections })
    await tellOfAlone(tx, ctx, now)
    return null
  })
}

/** What approving it does. Throws 'changed_meanwhile' where the text is another by now, or whoever asked may not change it any more. */
export async function writeWaitingText(tx: Turn, ctx: OperatorCtx, act: Act): Promise<void> {
  await requireAsker(tx, act)
  const { subject, details } = act
  const code = LEGAL_CODES.find((known) => known === subject)
  const sections = sectionsOf(String(details['text']))
  if (!code || !sections) throw new AppError('changed_meanwhile')
  const before = await readTurned(tx, code)
  if (versionOf(before) !== details['version']) throw new AppError('changed_meanwhile')
  await put(tx, ctx, before, { code, title: String(details['title']), sections })
}

type Stored = Awaited<ReturnType<typeof findLegalRow>>

async function readTurned(tx: Turn, code: LegalCode): Promise<Stored> {
  // There is no row to lock of a text that nobody has written yet.
  await sql`select pg_advisory_xact_lock(hashtextextended('legal_text', 0))`.execute(tx)
  return findLegalRow(tx, code)
}

async function put(
  tx: Turn,
  ctx: OperatorCtx,
  before: Stored,
  {
    code,
    title,
    sections,
  }: {
    readonly code: LegalCode
    readonly title: string
    readonly sections: readonly LegalSection[]
  },
): Promise<void> {
  const now = ctx.now()
  await writePage(tx, now, { code, title, sections })
  await recordAudit(tx, ctx, now, [
    {
      action: before ? 'update' : 'create',
      subject: 'article',
      subjectCode: `page/${code}`,
      before: before && {
        title: before.title,
        text: writtenText(before.sections as LegalSection[]),
      },
      after: { title, text: writtenText(sections) },
    },
  ])
}
