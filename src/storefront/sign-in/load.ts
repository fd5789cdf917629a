import { arePasskeysPossible } from '#features/base/authenticator/rules.ts'
import type { OfferedService } from '#features/people/identity/rules.ts'
import { wallCovers } from '../goods/wall.ts'
import type { PageMeta, PersonalPageContext } from '../page.ts'
import { matchRoute } from '../server/match.ts'
import { safePath } from '../server/safe-path.ts'

export interface SignInData {
  readonly title: string
  readonly covers: readonly string[]
  readonly services: readonly OfferedService[]
  readonly hasPasskeys: boolean
  /** Name of the shop. */
  readonly store: string
  /** Where to go on to, without language prefix; null when nothing was asked for. */
  readonly redirect: string | null
  /** The page asked for is open to nobody else. */
  readonly isNeeded: boolean
  /** The account of who comes here has just been cancelled. */
  readonly isCancelled: boolean
  /** The way to registering, which leads back to the same place. */
  readonly registerPath: string
}

export function load(page: PersonalPageContext): SignInData {
  const asked = page.query.get('redirect')
  const redirect = asked === null ? null : safePath(asked, page.publicUrl)
  return {
    title: page.t('sign-in.title'),
    covers: wallCovers(page),
    services: page.offer.services,
    hasPasskeys: arePasskeysPossible(page.publicUrl),
    store: page.shop.settings.name,
    redirect,
    isNeeded:
      redirect !== null && matchRoute(redirect.split('?')[0] ?? '')?.route.access === 'person',
    isCancelled: page.query.get('cancelled') === '1',
    registerPath:
      redirect === null ? '/register' : `/register?redirect=${encodeURIComponent(redirect)}`,
  }
}

export function meta(data: SignInData, { t }: PersonalPageContext): PageMeta {
  return { title: data.title, description: t('sign-in.description'), noIndex: true }
}
