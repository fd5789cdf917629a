/** Who has an order before them says so this often … */
export const LOOKS_EVERY_MS = 10_000
/** … and looks at it no more once nothing was heard for so long. */
export const LOOKS_FOR_MS = 15_000
/** Nothing of who looked at what stays longer. */
export const LOOKS_KEPT_MS = 30_000
export const FORGET_LOOKERS_SECONDS = 15

/** Somebody who has an order's page before them. */
export interface Looker {
  /** Number of the order. */
  readonly order: string
  /** Name that they sign in with. */
  readonly operator: string
  /** Name that colleagues read. */
  readonly name: string
}
