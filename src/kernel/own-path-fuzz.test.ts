import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

/** FUZZ_RUNS=1000000 takes some ten seconds. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 200_000)
const SHOP = 'https://shop.example'
const SECRET = 'S3CRET'

const PIECES = [
  '/',
  '\\',
  '.',
  '..',
  '//',
  '\\\\',
  '/.',
  '/..',
  '/de',
  '/en',
  '/zh-tw',
  '/login',
  '/api',
  '/cards',
  'evil.example',
  'shop.example',
  '@',
  ':',
  '?',
  '#',
  '&',
  '=',
  ';',
  '%',
  '%2f',
  '%5c',
  '%2e',
  '%40',
  '%00',
  '%09',
  '%0a',
  '%25',
  '%252f',
  '%255c',
  '\t',
  '\n',
  '\r',
  '\0',
  ' ',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '。',
  '／',
  '∕',
  'ｅ',
  '\ud800',
  'https:',
  'http://',
  'HTTPS://',
  'javascript:',
  'data:',
  SHOP,
  `token=${SECRET}`,
  `%74oken=${SECRET}`,
  `?key=${SECRET}`,
  `&Code=${SECRET}`,
  'redirect=',
  'url=',
  '%3Ftoken%3D',
  '6c',
  '[::1]',
  '127.1',
  'x',
]
const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((list) => list.join(''))
const hostile = fc.oneof(
  { weight: 4, arbitrary: pieces },
  { weight: 6, arbitrary: pieces.map((text) => `/${text}`) },
  { weight: 2, arbitrary: pieces.map((text) => SHOP + text) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }).map((text) => `/${text}`) },
)

test('whatever is given, the answer is an address of this shop, a page, without secrets, and stays what it is', () => {
  let answered = 0
  fc.assert(
    fc.property(hostile, fc.boolean(), (text, mayPass) => {
      const path = ownPath(text, SHOP, { mayPass })
      if (path !== null) answered += 1
      return path === null || faultOf(path, text, mayPass) === null
    }),
    { numRuns: RUNS },
  )
  expect(answered).toBeGreaterThan(RUNS / 20)
}, 1_200_000)

/** What would be wrong with an answer, judged by means of its own: as a browser, a proxy and a careless server read it. */
function faultOf(path: string, text: string, mayPass: boolean): string | null {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path) || path.includes('\\') || path.length > 2_048)
    return 'form'
  for (const prefix of ['', '/de', SHOP, `${SHOP}/de`]) {
    const read = URL.parse(prefix + path, SHOP)
    if (read?.origin !== SHOP || read.hash !== '') return 'origin'
    if (read.pathname !== (prefix.replace(SHOP, '') + path).split('?')[0]) return 'read otherwise'
  }
  const [page = ''] = path.split('?')
  for (
    let decoded = page, round = 0;
    round < 3;
    round += 1, decoded = decodeURIComponent(decoded)
  ) {
    if (/\/\/|[\\@\p{Cc}]|\/\.\.?(?:\/|$)/u.test(decoded)) return 'decoded'
    if (/^\/(?:(?:de|en|zh-tw)\/)?(?:api|img|assets|sandbox|console)(?:\/|$)/i.test(decoded))
      return 'no page'
    if (
      !mayPass &&
      /^\/(?:(?:de|en|zh-tw)\/)?(?:login|register|middle|redirect|loading)(?:\/|$)/i.test(decoded)
    )
      return 'passage'
  }
  for (const name of new URLSearchParams(path.slice(page.length)).keys()) {
    if (/^(?:token|key|ticket|state|code)$/i.test(name)) return 'secret'
  }
  if (ownPath(path, SHOP, { mayPass }) !== path) return `not settled from ${text}`
  return null
}
