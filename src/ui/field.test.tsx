import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { TextField } from './field.tsx'

describe('TextField', () => {
  it('ties its hint to the input', () => {
    const html = renderToStaticMarkup(<TextField id="zone" label="Zone" hint="4 to 5 digits" />)
    expect(html).toMatch(/<label[^>]* for="zone"/)
    expect(html).toMatch(/<input[^>]* aria-describedby="zone-note"/)
    expect(html).toMatch(/<p[^>]* id="zone-note"[^>]*>4 to 5 digits/)
  })

  it('puts an error in the place of the hint, announces it and marks the input', () => {
    const message = { tone: 'error', text: 'Use 4 to 5 digits.' } as const
    const html = renderToStaticMarkup(
      <TextField id="zone" label="Zone" hint="4 to 5 digits" message={message} />,
    )
    expect(html).toMatch(/<input[^>]* aria-invalid="true"/)
    expect(html).toMatch(/<p[^>]* id="zone-note" role="alert"/)
    expect(html).not.toContain('4 to 5 digits<')
  })

  it('leaves the input unmarked and undescribed when there is nothing to say', () => {
    const html = renderToStaticMarkup(<TextField id="zone" label="Zone" />)
    expect(html).not.toContain('aria-')
  })
})
