import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/base/shop/rules.ts'
import { getLanguage } from '#kernel/language.ts'
import type { PageContext } from '../page.ts'
import { shopDomain, textSections, textSummary } from './article.ts'

const page = {
  language: getLanguage('de'),
  shop: {
    settings: { ...DEFAULT_SETTINGS, name: 'Lukado' },
    catalogue: { products: Array.from({ length: 1234 }) },
    currencies: [
      { isCheckout: true, perUsd: 1n },
      { isCheckout: true, perUsd: null },
      { isCheckout: false, perUsd: 1n },
    ],
  },
  publicUrl: 'https://shop.example:8443',
} as unknown as PageContext

test('a text names the shop and writes to its domain', () => {
  const [section] = textSections(page, {
    sections: [{ heading: 'About {store}', paragraphs: ['Write to support@{store_domain}.'] }],
  })
  expect(section).toEqual({
    heading: 'About Lukado',
    paragraphs: ['Write to support@shop.example.'],
  })
})

test('a text says when somebody is there and where to write, as it is set, and nothing of it where it is not', () => {
  const article = {
    sections: [
      { heading: 'People', paragraphs: ['From {support_from} to {support_to}.', 'Always.'] },
      { heading: 'Email', paragraphs: ['Write to {support_email}.'] },
    ],
  }
  const set = {
    ...page,
    shop: {
      ...page.shop,
      settings: {
        ...page.shop.settings,
        supportEmail: 'help@corner.example',
        supportHours: { from: '08:30', to: '17:00' },
      },
    },
  }
  expect(textSections(set, article)).toEqual([
    { heading: 'People', paragraphs: ['From 08:30 to 17:00.', 'Always.'] },
    { heading: 'Email', paragraphs: ['Write to help@corner.example.'] },
  ])
  expect(textSections(page, article)).toEqual([{ heading: 'People', paragraphs: ['Always.'] }])
  expect(textSummary(page, { summary: '', ...article })).toBe('Always.')
})

test('a text counts what the shop has now, as its language writes numbers', () => {
  const [section] = textSections(page, {
    sections: [{ paragraphs: ['{products}, {currencies}, {languages}, {unknown}'] }],
  })
  expect(section?.paragraphs).toEqual(['1.234, 1, 21, {unknown}'])
})

test.each([
  'http://127.0.0.1:3000',
  'http://localhost:3000',
  'http://shop.localhost',
  'http://[::1]:3000',
])('%s is no address for mail', (publicUrl) => {
  expect(shopDomain(publicUrl)).toBe('lukado.example')
})

test('a summary is the one given, else the first words, cut between two words', () => {
  expect(textSummary(page, { summary: 'Short.', sections: [] })).toBe('Short.')
  const summary = textSummary(page, {
    summary: '',
    sections: [{ paragraphs: ['word '.repeat(60)] }],
  })
  expect(summary).toMatch(/word…$/)
  expect(summary.length).toBeLessThanOrEqual(161)
  expect(textSummary(page, { summary: '', sections: [] })).toBe('')
})
