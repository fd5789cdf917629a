import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Check } from './check.tsx'

test('what is wrong with a box describes it, and is no part of its name', () => {
  const html = renderToStaticMarkup(
    <Check name="agree" error="Agree to go on.">
      I agree
    </Check>,
  )
  expect(html).toMatch(/<input[^>]* aria-invalid="true" aria-describedby="agree-error"/)
  expect(html).toMatch(/<p[^>]* id="agree-error" role="alert">.*Agree to go on\.<\/p>$/)
  expect(/<label.*<\/label>/.exec(html)?.[0]).not.toContain('Agree to go on.')
})

test('a box with nothing wrong is described by nothing', () => {
  const html = renderToStaticMarkup(<Check name="agree">I agree</Check>)
  expect(html).not.toContain('aria-')
  expect(html).not.toContain('agree-error')
})
