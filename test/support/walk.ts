import type { Part } from '#kernel/page.ts'

/** All rows of a list, read one by one, each behind the one before. */
export async function walk<Row>(
  list: (part: Part) => Promise<readonly Row[]>,
  placeOf: (row: Row) => string,
): Promise<Row[]> {
  const all: Row[] = []
  for (;;) {
    const last = all.at(-1)
    const [next] = await list({ after: last === undefined ? null : placeOf(last), limit: 1 })
    if (next === undefined) return all
    all.push(next)
  }
}
