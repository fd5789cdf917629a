import { ANSWER_PARAMETERS } from '#features/people/identity/rules.ts'
import { peekSecret } from '#features/people/verification/queries.ts'
import { findLanguage } from '#kernel/language.ts'
import { wallCovers } from '../goods/wall.ts'
import { PageNotFound, PageRedirect, type PageMeta, type PersonalPageContext } from '../page.ts'
import { isSignInPlatform } from '../text/platforms.ts'

export interface LoadingData {
  readonly title: string
  readonly covers: readonly string[]
  readonly store: string
  readonly service: string
  /** What the service sent, to be handed to the shop; null when somebody came without an answer. */
  readonly answer: Readonly<Record<string, string>> | null
}

/** Services send people back to one address; the language they left the shop in stands with what they began. */
export async function load(page: PersonalPageContext): Promise<LoadingData> {
  const { ctx, query, params, offer, t } = page
  const platform = params['platform']
  const service = offer.services.find((offered) => offered.platform === platform)
  if (!service && !isSignInPlatform(platform)) throw new PageNotFound()
  const begun = await peekSecret(ctx.db, ctx, {
    purpose: 'sign_in_elsewhere',
    secret: query.get('state') ?? '',
  })
  const language = findLanguage(String(begun?.data['language'] ?? ''))
  if (language && page.language.prefix === '' && language.prefix !== '')
    throw new PageRedirect(`${language.prefix}${page.path}?${query}`)
  const sent = ANSWER_PARAMETERS.flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value]]
  })
  // An answer nobody asked for is not carried along.
  if (!service && sent.length > 0) throw new PageRedirect(page.path)
  return {
    title: t('sign-in.loadingTitle'),
    covers: wallCovers(page),
    store: page.shop.settings.name,
    service: service?.name ?? '',
    answer:
      service && sent.length > 0
        ? { platform: service.platform, ...(Object.fromEntries(sent) as Record<string, string>) }
        : null,
  }
}

export function meta(data: LoadingData): PageMeta {
  return { title: data.title, description: data.title, noIndex: true }
}
