import { HtmlValidate } from 'html-validate'
import { expect, test } from './page-checks.ts'
import { SAMPLE_ADDRESSES } from './addresses.ts'

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    // Matters of taste, not of validity.
    'void-style': 'off', 'long-title': 'off', 'no-inline-style': 'off', 'no-trailing-whitespace': 'off', 'doctype-style': 'off',
    'attribute-boolean-style': 'off', 'attribute-empty-style': 'off', 'tel-non-breaking': 'off', 'require-sri': 'off', 'no-raw-characters': 'off',
    'prefer-native-element': 'off', 'svg-focusable': 'off',
  },
})

test('the HTML of every page is valid', async ({ request, baseURL }, info) => {
  test.skip(info.project.name !== 'desktop', 'the same bytes for every screen')
  test.setTimeout(120_000)
  const faults: string[] = []
  for (const { path } of SAMPLE_ADDRESSES) {
    for (const prefix of ['', '/ar', '/ja']) {
      const address = `${prefix}${path === '/' && prefix !== '' ? '' : path}`
      const html = await (await request.get(`${baseURL}${address}`)).text()
      const report = await validator.validateString(html)
      for (const result of report.results)
        for (const message of result.messages) faults.push(`${address}: ${message.ruleId} ${message.message} (${message.selector ?? ''})`)
    }
  }
  expect([...new Set(faults)].slice(0, 40)).toEqual([])
})
