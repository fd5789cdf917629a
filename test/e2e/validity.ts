import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    // Matters of taste, not of validity.
    'void-style': 'off',
    'long-title': 'off',
    'no-inline-style': 'off',
    'no-trailing-whitespace': 'off',
    'doctype-style': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'tel-non-breaking': 'off',
    'require-sri': 'off',
    'no-raw-characters': 'off',
    'prefer-native-element': 'off',
    'svg-focusable': 'off',
  },
})

/** What is wrong with a document, each with where it was found. */
export async function faultsOf(address: string, html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, selector }) => `${address}: ${ruleId} ${message} (${selector ?? ''})`,
    ),
  )
}
