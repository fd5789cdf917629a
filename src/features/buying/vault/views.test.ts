import { expect, test } from 'vitest'
import type { Translate } from '#platform/i18n/messages.ts'
import { revealedView } from './views.ts'

const t = ((key: string) => key) as Translate

test('a picture is shown as one only where it is one: anything else would be an address', () => {
  const picture = 'data:image/png;base64,iVBORw0KGgo='
  expect(revealedView(t, 'k', { image: picture })).toMatchObject({
    kind: 'picture',
    picture,
    parts: [],
  })
  for (const image of ['iVBORw0KGgo=', 'data:text/html;base64,aGk=', 'https://elsewhere.example/a'])
    expect(revealedView(t, 'k', { image })).toMatchObject({
      kind: 'code',
      picture: null,
      parts: [{ name: 'image', value: image }],
    })
})
