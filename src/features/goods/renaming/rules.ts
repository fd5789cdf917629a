/** What another code of a product would do, told before it does. */
export interface RenameEffect {
  /** Of all that is told here: what is done is what was seen. */
  readonly hash: string
  readonly from: string
  readonly to: string
  /** Codes that lead to the new one then: the one that goes, and those it had before. */
  readonly leading: readonly string[]
  /** It had this code before: its redirect ends. */
  readonly isReturn: boolean
}

/** As the import's format has codes of products. */
export const CODE_FORMAT = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const CODE_MOST = 100
