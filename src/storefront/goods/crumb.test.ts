import { expect, it } from 'vitest'
import { getLanguage } from '#kernel/language.ts'
import { categoryCrumb, stepTo } from './crumb.ts'

const NAME = { en: 'Gift cards', ar: 'بطاقات الهدايا' }

it('names a step in the language of the page, without telling what all of the page is in', () => {
  expect(categoryCrumb({ name: NAME, path: '/cards' }, getLanguage('ar'))).toEqual({
    text: NAME.ar,
    path: '/cards',
  })
})

it('tells that a name is in English where nobody has written it in the language of the page', () => {
  expect(stepTo(NAME, getLanguage('ja'))).toEqual({ text: NAME.en, lang: 'en' })
})
