import { expect, test } from 'vitest'
import { getLanguage } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import type { PersonalPageContext } from '../page.ts'
import { pageAsked, pagingData } from './paging.ts'

const page = { language: getLanguage('en'), t: translatorOf('en') } as PersonalPageContext

test.each([
  ['', 1],
  ['page=3', 3],
  ['page=0', 1],
  ['page=-2', 1],
  ['page=x', 1],
  ['page=1.5', 1],
  ['page=99999999', 10_000],
])('"%s" asks for page %i', (query, expected) => {
  expect(pageAsked({ query: new URLSearchParams(query) })).toBe(expected)
})

test('one page has no links', () => {
  expect(pagingData(page, '/user/notice', 1, 1)).toEqual({ pages: [], previous: null, next: null })
})

test('the first page stands at the plain address', () => {
  const { pages, previous, next } = pagingData(page, '/user/notice', 2, 3)
  expect(pages.map((entry) => entry?.path)).toEqual([
    '/user/notice',
    '/user/notice?page=2',
    '/user/notice?page=3',
  ])
  expect(pages.map((entry) => entry?.current ?? false)).toEqual([false, true, false])
  expect([previous, next]).toEqual(['/user/notice', '/user/notice?page=3'])
})
