/** A step of the way from the home page. */
export interface Crumb {
  readonly text: string
  /** Left out for the page itself. */
  readonly path?: string
  /** Language of the text where it is not the page's. */
  readonly lang?: string
}
