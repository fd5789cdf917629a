/** Favourites of one account. */
export const FAVOURITES_MAX = 500

/** The figures beside the favourites entry (specification §3, `ext`). */
export interface CollectFigures {
  /** Favourites on sale now. */
  readonly collect_num: number
  /** Whole percent of the largest running discount among them; 0 when there is none. */
  readonly collect_max_discount: number
}
