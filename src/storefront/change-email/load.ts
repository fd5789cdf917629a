import { listNotices } from '#features/people/notice/queries.ts'
import { proofData, type ProofData } from '../forms/proof-data.ts'
import { wallCovers } from '../goods/wall.ts'
import { PageRedirect, type PageMeta, type PersonalPageContext } from '../page.ts'
import { isProved, ownerOf } from '../user/area.ts'

export type ChangeEmailStep = 'prove' | 'change' | 'success'

export interface ChangeEmailData {
  readonly step: ChangeEmailStep
  readonly title: string
  readonly covers: readonly string[]
  readonly email: string
  readonly proof: ProofData
}

/** The first page is the first step: it has nothing else to say. */
const STEPS: Readonly<Record<string, ChangeEmailStep>> = {
  '/change-email': 'prove',
  '/change-email/verification': 'prove',
  '/change-email/change': 'change',
  '/change-email/success': 'success',
}
const TITLES = {
  prove: 'account.emailProveTitle',
  change: 'account.emailNewTitle',
  success: 'account.emailDoneTitle',
} as const

/** A change that was longer ago is no news. */
const NEWS_MS = 30 * 60_000

/** `/change-email` and its steps. Whoever comes to a step without the one before is led to the first. */
export async function load(page: PersonalPageContext): Promise<ChangeEmailData> {
  const step = STEPS[page.path] ?? 'prove'
  if (step === 'change' && page.outcome === null && !isProved(page))
    throw new PageRedirect('/change-email/verification')
  if (step === 'success' && !(await hasJustChanged(page))) throw new PageRedirect('/change-email')
  return {
    step,
    title: page.t(TITLES[step]),
    covers: wallCovers(page),
    email: ownerOf(page).email,
    proof: await proofData(page),
  }
}

async function hasJustChanged(page: PersonalPageContext): Promise<boolean> {
  const { ctx } = page
  const { notices } = await listNotices(ctx.db, ownerOf(page).accountId, 1, 5)
  return notices.some(
    ({ kind, createdAt }) =>
      kind === 'email_changed' && ctx.now().getTime() - createdAt.getTime() < NEWS_MS,
  )
}

export function meta(data: ChangeEmailData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('account.emailDescription'), noIndex: true }
}
