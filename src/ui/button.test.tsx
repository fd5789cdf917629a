import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Button, IconButton } from './button.tsx'

describe('Button', () => {
  it('submits nothing unless told to', () => {
    expect(renderToStaticMarkup(<Button>Clear</Button>)).toContain('type="button"')
    expect(renderToStaticMarkup(<Button type="submit">Send</Button>)).toContain('type="submit"')
  })

  it('stays focusable when blocked, submits nothing and points to the reason', () => {
    const blocked = { id: 'why', reason: 'Choose an amount first.' }
    const html = renderToStaticMarkup(
      <Button type="submit" blocked={blocked}>
        Buy now
      </Button>,
    )
    expect(html).toMatch(/<button[^>]* type="button"/)
    expect(html).toMatch(/<button[^>]* aria-disabled="true"[^>]* aria-describedby="why"/)
    expect(html).not.toMatch(/ disabled=/)
    expect(html).toMatch(/<span[^>]* id="why">Choose an amount first\./)
  })

  it('cannot be pressed twice while busy', () => {
    const html = renderToStaticMarkup(
      <Button type="submit" busy>
        Pay
      </Button>,
    )
    expect(html).toMatch(/<button[^>]* type="button"[^>]* aria-busy="true"/)
  })
})

describe('IconButton', () => {
  it('hides the number on the icon from screen readers, whose label says it', () => {
    const html = renderToStaticMarkup(<IconButton icon="cart" label="Cart, 3 items" count="3" />)
    expect(html).toContain('aria-label="Cart, 3 items"')
    expect(html).toMatch(/<span[^>]* aria-hidden="true">3</)
  })
})
