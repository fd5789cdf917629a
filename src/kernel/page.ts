/** A part of a list: so many rows at most, behind one; from the first on where there is none. */
export interface Part {
  readonly after: string | null
  readonly limit: number
}

/** Rows of a page: as many as it shows, and the last where another page follows. @param found one more than is shown, where there is one */
export function pageOf<Row>(
  found: readonly Row[],
  most: number,
): { readonly shown: readonly Row[]; readonly last: Row | undefined } {
  const shown = found.slice(0, most)
  return { shown, last: found.length > most ? shown.at(-1) : undefined }
}
