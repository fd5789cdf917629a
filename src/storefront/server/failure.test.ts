import { expect, test } from 'vitest'
import { getLanguage } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { renderFailure, type FailureInput } from './failure.ts'

const logged: unknown[] = []
const input = {
  id: 'f-1',
  language: getLanguage('de'),
  t: translatorOf('de'),
  assets: () => ({ styles: ['/assets/app.css'] }),
  log: { error: (_: string, fields: unknown) => logged.push(fields) },
} as unknown as FailureInput

test('the error page speaks the language of the address and quotes its id', () => {
  const html = renderFailure(input)
  expect(html).toContain('<html lang="de"')
  expect(html).toContain('f-1')
  expect(html).toContain('href="/de"')
})

test('an error page that fails is told in plain English, with a way home', () => {
  const html = renderFailure({
    ...input,
    assets: () => {
      throw new Error('no manifest')
    },
  })
  expect(html).toContain('An error occurred while showing the error page')
  expect(html).toContain('<a href="/">')
  expect(logged).toEqual([expect.objectContaining({ id: 'f-1' })])
})
