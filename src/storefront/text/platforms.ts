/** Whose sign-in, offered or not, `/loading/{platform?}` and `/user/link/{platform?}` speak of. */
const SIGN_IN_PLATFORMS: readonly string[] = ['google', 'apple', 'facebook', 'discord', 'oidc']

/** True for a known platform and for none. */
export function isSignInPlatform(segment: string | undefined): boolean {
  return segment === undefined || SIGN_IN_PLATFORMS.includes(segment)
}
