/** Whose sign-in `/loading/{platform?}` and `/user/link/{platform?}` speak of. */
const SIGN_IN_PLATFORMS: readonly string[] = ['google', 'apple', 'facebook']

/** True for a known platform and for none. */
export function isSignInPlatform(segment: string | undefined): boolean {
  return segment === undefined || SIGN_IN_PLATFORMS.includes(segment)
}
