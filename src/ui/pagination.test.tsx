import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Pagination } from './pagination.tsx'

describe('Pagination', () => {
  const pages = [
    { text: '1', href: '?page=1', label: 'Page 1', current: true },
    { text: '2', href: '?page=2', label: 'Page 2' },
    null,
    { text: '9', href: '?page=9', label: 'Page 9' },
  ]
  const html = renderToStaticMarkup(
    <Pagination
      label="Pages"
      pages={pages}
      previous={{ text: 'Previous' }}
      next={{ text: 'Next', href: '?page=2' }}
    />,
  )

  it('marks the page shown', () => {
    expect(html).toContain('<a href="?page=1" aria-label="Page 1" aria-current="page">')
  })

  it('links the steps that lead somewhere and only shows the others', () => {
    expect(html).toMatch(/<a[^>]* href="\?page=2" rel="next"/)
    expect(html).toMatch(/<span[^>]* aria-disabled="true">/)
    expect(html).not.toContain('rel="prev"')
  })

  it('hides the gap from screen readers', () => {
    expect(html).toMatch(/<li aria-hidden="true"><span[^>]*>…/)
  })
})
