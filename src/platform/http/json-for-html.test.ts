import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonForHtml } from './json-for-html.ts'

test('whatever is put in, no tag opens, and the same comes out', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('</script>', '<!--', '\u2028', '\u2029\u2028<'),
        ),
      ),
      (value) => {
        const text = jsonForHtml(value)
        expect(text).not.toMatch(/[<\u2028\u2029]/)
        expect(JSON.parse(text)).toEqual(value)
      },
    ),
  )
})
