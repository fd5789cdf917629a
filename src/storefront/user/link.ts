import { listIdentities } from '#features/people/identity/queries.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { proofData, type ProofData } from '../forms/proof-data.ts'
import { PageNotFound, type PersonalPageContext } from '../page.ts'
import { isSignInPlatform } from '../text/platforms.ts'
import { ownerOf } from './area.ts'

/** A service of the shop, or one that was linked when the shop still offered it. */
export interface LinkableService {
  readonly platform: string
  readonly name: string
  readonly isOffered: boolean
  readonly isLinked: boolean
  /** Who the person is there and since when; empty while it is not linked. */
  readonly notes: readonly string[]
}

export interface LinkData {
  readonly services: readonly LinkableService[]
  /** The one that the address names. */
  readonly named: LinkableService | null
  /** It names one that other shops offer, and this one does not. */
  readonly isMissing: boolean
  /** The named one is about to be unlinked. */
  readonly isUnlinking: boolean
  /** What has just been done. */
  readonly done: string | null
  readonly proof: ProofData
}

/** `/user/link/{platform?}`. */
export async function linkData(page: PersonalPageContext): Promise<LinkData> {
  const { params, query, t } = page
  const services = await linkableServices(page)
  const platform = params['platform']
  const named = services.find((service) => service.platform === platform)
  if (named === undefined && !isSignInPlatform(platform)) throw new PageNotFound()
  const linked = services.find(
    (service) => service.isLinked && service.platform === query.get('done'),
  )
  const removed = services.find(
    (service) => !service.isLinked && service.platform === query.get('removed'),
  )
  return {
    services,
    named: named ?? null,
    isMissing: named === undefined && platform !== undefined,
    isUnlinking: named?.isLinked === true && query.get('do') === 'unlink',
    done: linked
      ? t('user.linkAdded', { service: linked.name })
      : removed
        ? t('user.linkRemoved', { service: removed.name })
        : null,
    proof: await proofData(page),
  }
}

/** What the shop offers, then what is linked beside. */
export async function linkableServices(
  page: PersonalPageContext,
): Promise<readonly LinkableService[]> {
  const { ctx, offer, t, language, timeZone } = page
  const linked = new Map(
    (await listIdentities(ctx.db, ownerOf(page).accountId)).map((identity) => [
      identity.platform,
      identity,
    ]),
  )
  const platforms = new Set([
    ...offer.services.map((service) => service.platform),
    ...linked.keys(),
  ])
  return [...platforms].map((platform) => {
    const identity = linked.get(platform)
    const since =
      identity &&
      t('user.linkSince', { date: formatDate(language.code, identity.linkedAt, timeZone) })
    return {
      platform,
      name: serviceName(page, platform),
      isOffered: offer.services.some((service) => service.platform === platform),
      isLinked: identity !== undefined,
      notes:
        identity && since
          ? [
              ...(identity.displayName === ''
                ? []
                : [t('user.linkAs', { name: identity.displayName })]),
              since,
            ]
          : [],
    }
  })
}

/** One no longer offered is called by its platform. */
export function serviceName(
  { offer }: Pick<PersonalPageContext, 'offer'>,
  platform: string,
): string {
  return offer.services.find((service) => service.platform === platform)?.name ?? platform
}
