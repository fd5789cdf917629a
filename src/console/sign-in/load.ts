import type { ConsoleContext } from '../page.ts'

export interface SignInData {
  /** Path below `/console` that was asked for. */
  readonly to: string
  readonly isDemo: boolean
  readonly shopName: string
}

export function load({ t, query, shop }: ConsoleContext): Promise<{
  readonly title: string
  readonly data: SignInData
}> {
  return Promise.resolve({
    title: t('console.signIn.title'),
    data: { to: ownPath(query.get('to')), isDemo: shop.isDemo, shopName: shop.name },
  })
}

/** A path of the console alone: whoever made the link leads nowhere else. */
export function ownPath(given: string | null): string {
  const isOwn = given !== null && /^\/(?![/\\])[^\\]*$/.test(given)
  return isOwn ? given : '/'
}
