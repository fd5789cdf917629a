import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { withParts } from './with-parts.tsx'

const t =
  (pattern: string) =>
  (_: string, values: Readonly<Record<string, string | number>> = {}) =>
    pattern.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(values[name]))

it('puts elements where the language has them', () => {
  const parts = { terms: <a href="/terms">terms</a>, privacy: <a href="/privacy">privacy</a> }
  expect(
    renderToStaticMarkup(
      withParts(t('I agree to the {terms} and {privacy}.'), 'sign-in.agree', parts),
    ),
  ).toBe('I agree to the <a href="/terms">terms</a> and <a href="/privacy">privacy</a>.')
  expect(
    renderToStaticMarkup(withParts(t('{privacy}と{terms}に同意します。'), 'sign-in.agree', parts)),
  ).toBe('<a href="/privacy">privacy</a>と<a href="/terms">terms</a>に同意します。')
})
