/** Who is asked about. */
export interface ScreenedPerson {
  readonly names: readonly string[]
  readonly email: string | null
  /** Where they say they live, ISO codes. */
  readonly countries: readonly string[]
}

export type ScreeningAnswer =
  | { readonly kind: 'clear' }
  /** The service's names for the entries that it takes for this person, best first. */
  | { readonly kind: 'match'; readonly entries: readonly [string, ...string[]] }
  /** It could not be found out: never taken for `clear`. `why` holds nothing of the person. */
  | { readonly kind: 'unknown'; readonly why: string }

/** A service that knows whom nothing may be sold to. */
export interface ScreeningProvider {
  readonly code: string
  /** The longest that `screen` takes. */
  readonly answersWithinMs: number
  /** @param reference ours, recorded before */
  readonly screen: (reference: string, person: ScreenedPerson) => Promise<ScreeningAnswer>
}
