import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '..', 'src')

/** Who reads at twice the size has half as many of them: the layout is then that of a narrow screen (docs/reach.md). */
test('widths in media queries are in rem', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  )
  const found = files.flatMap((file) =>
    (readFileSync(join(SOURCE, file), 'utf8').match(/@(?:media|container)[^{]*/g) ?? [])
      .filter((query) => /width[^)]*\d(?!rem)[a-z]/.test(query))
      .map((query) => `${file}: ${query}`),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(found).toEqual([])
})
