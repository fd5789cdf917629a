import { lookAtInvitation, type Invited } from '#features/office/invitation/commands.ts'
import { findRole } from '#features/team/operator/queries.ts'
import { isAppError } from '#kernel/error.ts'
import { formatShortMoment } from '#platform/i18n/format.ts'
import { actorName } from '../kit/actor-name.ts'
import { roleName } from '../kit/role-name.ts'
import type { ConsoleContext, Loaded } from '../page.ts'

export interface InvitationData {
  readonly shopName: string
  /** Null for a link that opens nothing any more. */
  readonly invited: {
    readonly key: string
    /** Null for the first owner, who chooses them. */
    readonly name: string | null
    readonly email: string | null
    readonly displayName: string | null
    readonly role: string
    readonly invitedBy: string | null
    readonly ends: string
  } | null
}

/** The link is looked at, never used up by it: programs that read mails follow links, too. */
export async function load(context: ConsoleContext): Promise<Loaded<InvitationData>> {
  const { ctx, t, query, shop, language, timeZone } = context
  const key = query.get('key') ?? ''
  const invited = await lookAtInvitation(ctx, key).catch(asNone)
  const powers = invited && (await findRole(ctx.db, invited.role))
  return {
    title: t('console.invitation.title'),
    data: {
      shopName: shop.name,
      invited: invited && {
        key,
        name: invited.name,
        email: invited.email,
        displayName: invited.displayName,
        role: roleName(t, powers ?? { role: invited.role }),
        invitedBy: invited.invitedBy && actorName(invited.invitedBy),
        ends: formatShortMoment(language.code, invited.expiresAt, timeZone),
      },
    },
  }
}

function asNone(error: unknown): Invited | null {
  if (isAppError(error) && error.code === 'link_expired') return null
  throw error
}
