import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Breadcrumb } from './breadcrumb.tsx'

const html = renderToStaticMarkup(
  <Breadcrumb
    label="مسار التنقل"
    items={[
      { text: 'الرئيسية', href: '/ar' },
      { text: 'Steam: بطاقات', href: '/ar/cards' },
      { text: 'Steam Wallet Code (US)', lang: 'en' },
    ]}
  />,
)

it('runs as the page does in its own language, whatever word comes first', () => {
  expect(html).toContain('<a href="/ar/cards"><span>Steam: بطاقات</span></a>')
  expect(html).not.toContain('<bdi')
})

it('says the language and direction of a step in another one', () => {
  expect(html).toContain('<span lang="en" dir="ltr">Steam Wallet Code (US)</span>')
})
