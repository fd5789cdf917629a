import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { CodeField, digitsOf, SendAgain } from './code-field.tsx'

describe('digitsOf', () => {
  it('takes the digits out of what people paste', () => {
    expect(digitsOf('482 013')).toBe('482013')
    expect(digitsOf('Code: 48-20-13.')).toBe('482013')
  })

  it('reads the digits of other scripts', () => {
    expect(digitsOf('٤٨٢ ०१ ၃３')).toBe('4820133')
  })
})

describe('CodeField', () => {
  it('asks a phone for figures and for the code of a message', () => {
    const html = renderToStaticMarkup(<CodeField id="code" name="code" label="Code" />)
    expect(html).toContain('inputMode="numeric"')
    expect(html).toContain('autoComplete="one-time-code"')
  })
})

describe('SendAgain', () => {
  const waitText = (seconds: number) => `Send again in ${seconds} s`

  it('can be pressed when there is nothing to wait for', () => {
    expect(
      renderToStaticMarkup(
        <SendAgain type="submit" text="Send code" waitText={waitText} seconds={0} />,
      ),
    ).toContain('type="submit"')
  })

  it('tells how long to wait and stays reachable by keyboard', () => {
    const html = renderToStaticMarkup(
      <SendAgain type="submit" text="Send code" waitText={waitText} seconds={48} />,
    )
    expect(html).toContain('Send again in 48 s')
    expect(html).toContain('aria-disabled="true"')
    expect(html).not.toContain('type="submit"')
  })
})
