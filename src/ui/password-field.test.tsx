import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { NewPasswordField, PasswordField, RuleList } from './password-field.tsx'

const RULES = [
  { text: '8 to 20 characters', isMet: (typed: string) => typed.length >= 8 },
  { text: 'No symbols', isMet: (typed: string) => /^[a-z]*$/i.test(typed) },
]

describe('PasswordField', () => {
  it('is a password with a button that shows it', () => {
    const html = renderToStaticMarkup(
      <PasswordField id="pw" label="Password" showLabel="Show" autoComplete="current-password" />,
    )
    expect(html).toMatch(/<input[^>]* type="password"/)
    expect(html).toMatch(/<input[^>]* autoComplete="current-password"/)
    expect(html).toMatch(/<button type="button"[^>]* aria-pressed="false" aria-controls="pw"/)
  })

  it('reads its rules and its error together', () => {
    const message = { tone: 'error', text: 'Too short.' } as const
    const html = renderToStaticMarkup(
      <NewPasswordField
        id="pw"
        label="Password"
        showLabel="Show"
        rules={RULES}
        metText="met"
        message={message}
      />,
    )
    expect(html).toContain('aria-describedby="pw-rules pw-note"')
    expect(html).toContain('autoComplete="new-password"')
  })
})

describe('RuleList', () => {
  it('ticks no rule while nothing is typed', () => {
    expect(
      renderToStaticMarkup(<RuleList id="r" rules={RULES} typed="" metText="met" />),
    ).not.toContain('(met)')
  })

  it('says in words which rules are kept', () => {
    const html = renderToStaticMarkup(<RuleList id="r" rules={RULES} typed="abc" metText="met" />)
    expect(html).toMatch(/No symbols<span class="sr"> \(met\)/)
    expect(html.match(/\(met\)/g)).toHaveLength(1)
  })
})
