import { expect, test } from 'vitest'
import { missingTitle } from './load.ts'

test('an address without a page is told apart from one whose page finds nothing', () => {
  expect(missingTitle('/no/such/page')).toBe('notFound.alternate')
  expect(missingTitle(`/news/${'x'.repeat(200)}`)).toBe('notFound.alternate')
  expect(missingTitle('/news/no-such-article')).toBe('title.notFound')
})
