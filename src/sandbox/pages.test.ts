import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { getLanguage, LANGUAGE_CODES } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { speechOf } from './frame.ts'
import { choicePage, problemPage as signInProblem } from './identity/page.ts'
import { OTHER } from './identity/people.ts'
import type { Session } from './payment/book.ts'
import { paymentPage, problemPage } from './payment/page.ts'

const session = (locale: string, more: Partial<Session> = {}): Session => ({
  id: 'sps_1',
  our_reference: 'one',
  amount: '123456',
  currency: 'USD',
  order_number: '4821300947165',
  return_url: 'https://shop.example/order/pay?a=1&b="',
  locale,
  method: 'card',
  status: 'requires_action',
  captured: null,
  disputed: false,
  reversed: '0',
  failure: null,
  challenge: null,
  created_at: 0,
  settles_at: null,
  ...more,
})
const html = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'no-inline-style': 'off', 'require-sri': 'off' },
})
const bare = (page: string) => page.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>/g, ' ')

test.each(LANGUAGE_CODES)(
  'every page of the sandboxes speaks %s, and is valid',
  async (language) => {
    const { tag, dir } = getLanguage(language)
    const t = translatorOf(language)
    const states = ['seen', 'captured', 'failed', 'voided', 'expired'] as const
    const typed = { person: OTHER, email: 'x"@y', name: '<b>', verified: false }
    const pages = [
      paymentPage(session(tag), null),
      paymentPage(session(tag, { challenge: '123456' }), 'code'),
      ...states.map((status) => paymentPage(session(tag, { status }), null)),
      problemPage(tag),
      choicePage(tag, 'shop.example', typed, 'email'),
      signInProblem(tag, 'over'),
      signInProblem(tag, 'fault', 'invalid_request'),
    ]
    for (const page of pages) {
      expect(page).toContain(`<html lang="${tag}" dir="${dir}">`)
      const report = await html.validateString(page)
      expect(
        report.results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line }) => `${ruleId} ${message} (${line})`),
        ),
      ).toEqual([])
      // What is Arabic or Thai elsewhere says no English word beyond the names of things.
      if (/^(?:ar|th|my|hi|ja|ko|zh|ru)/.test(tag)) {
        expect(
          bare(page)
            .replaceAll(
              /Demo ID|(?:Ada|Bilal|Chiyo|Dara) Sample|shop\.example|invalid_request|[\w.-]*@[\w.-]+|US\$|&\w+;/g,
              '',
            )
            .match(/\b[A-Za-z]{3,}\b/g)
            ?.filter(
              (word) =>
                !t('sign-in.email').includes(word) && !t('error.field.email_format').includes(word),
            ) ?? [],
        ).toEqual([])
      }
    }
    expect(pages[0]).toContain(t('sandbox.challenge').replaceAll("'", '&#39;'))
    expect(pages[0]).toMatch(/1[.,\s\u00a0\u202f]?234[.,]56/)
    expect(pages[1]).toContain('<bdi class="code">123456</bdi>')
  },
)

test('who asks in a language that is not spoken here is answered in English', () => {
  for (const locale of ['', 'xx', 'sw-KE', '%%%']) expect(speechOf(locale).language).toBe('en')
  expect(
    ['zh-TW', 'zh-Hant-HK', 'zh', 'fil', 'pt-BR', 'sw, de;q=0.5'].map(
      (locale) => speechOf(locale).language,
    ),
  ).toEqual(['zh-tw', 'zh-tw', 'zh', 'tl', 'pt', 'de'])
})
