import { describe, expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

const SHOP = 'https://shop.example'

/** Ways past a check of redirects that have worked somewhere, or could: each must name nothing. */
const SCHEME_RELATIVE = String.raw`
//evil.example
//evil.example/
//evil.example/cards
//evil.example:443/
//evil.example%2f
//evil.example?
//evil.example#
///evil.example
////evil.example
/////evil.example/..
//\evil.example
/\evil.example
/\/evil.example
/\\evil.example
\/evil.example
\/\/evil.example
\\evil.example
\evil.example
/.\evil.example
/..\evil.example
/%5cevil.example
/%5c%5cevil.example
/%5C/evil.example
%5c%5cevil.example
/%2fevil.example
/%2f%2fevil.example
/%2F/evil.example
/%2f%5cevil.example
/%5c%2fevil.example
%2f%2fevil.example
//%2fevil.example
//%5cevil.example
/./%2fevil.example
/.//evil.example
/..//evil.example
/../..//evil.example
/a/..//evil.example
/a/../..//evil.example
/cards/..//evil.example
/cards/../%2fevil.example
/%2e%2e//evil.example
/%2e//evil.example
/%2e/%2fevil.example
/.%2e//evil.example
/%2E.//evil.example
/;//evil.example
/;/..//evil.example
/de//evil.example
/de/%2fevil.example
/de/\evil.example
/de/..//evil.example
/zh-tw//evil.example
/en//evil.example
/de/./%2f/evil.example
//shop.example@evil.example
//shop.example:80@evil.example
//user:password@evil.example
//evil.example\@shop.example
//evil.example\.shop.example
//evil.example%00.shop.example
//evil.example%0d.shop.example
//evil.example;shop.example
//evil.example&shop.example
//shop.example.evil.example
//[::1]
//127.0.0.1
//127.1
//0x7f000001
//2130706433
//017700000001
//localhost
//0/
//xn--fsq.example
//evil。example
//evil%E3%80%82example
//ｅvil.example
//evil.example/%2e%2e
//evil.example//..
`
const ABSOLUTE = String.raw`
http://evil.example
https://evil.example
https://evil.example/
https://evil.example/cards
HTTPS://evil.example
hTTps:evil.example
https:evil.example
https:/evil.example
https:\evil.example
https:\\evil.example
https:/\evil.example
https:///evil.example
https:////evil.example
https://evil.example\@shop.example/
https://shop.example@evil.example/
https://shop.example:443@evil.example/
https://shop.example%40evil.example/
https://shop.example:pass@evil.example/
https://shop.example.evil.example/
https://shop.example%2eevil.example/
https://shop.example%00.evil.example/
https://shop.exampleevil.example/
https://shop.example;evil.example/
https://shop.example,evil.example/
https://shop.example\evil.example/
https://shop.example\.evil.example/
https://shop.example?@evil.example/
https://shop.example#@evil.example/
https://shop.example:8443/
https://shop.example:443.evil.example/
http://shop.example/
ftp://shop.example/
ftp://evil.example/
ws://evil.example/
file:///etc/passwd
blob:https://shop.example/1
view-source:https://evil.example/
https://evilshop.example/
https://evil.example/https://shop.example/
https://evil.example?https://shop.example/
https://evil.example#https://shop.example/
https://evil.example;https://shop.example/
https://www.shop.example/
https://shop.example./
https://SHOP.example/
 https://evil.example/
https ://evil.example/
https://shop.example//evil.example
https://shop.example/\evil.example
https://shop.example/..//evil.example
https://shop.example/de//evil.example
https://user@shop.example/
https://user:password@shop.example/
https://@shop.example/
//shop.example/cards
evil.example
evil.example/cards
evil.example:443
www.evil.example
.evil.example
@evil.example
:evil.example
://evil.example
:80/evil.example
?//evil.example
#//evil.example
;//evil.example
./evil.example
../evil.example
./\evil.example
.//evil.example
cards
`
const SCRIPTS = String.raw`
javascript:alert(1)
JavaScript:alert(1)
javascript://shop.example/%0aalert(1)
javascript://%0aalert(1)
javascript:alert(1)//https://shop.example
java%0ascript:alert(1)
javascript&colon;alert(1)
&#106;avascript:alert(1)
jaVAscript:/*//https://shop.example/*/alert(1)
data:text/html,<script>alert(1)</script>
data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==
DATA:text/html,x
vbscript:msgbox(1)
about:blank
mailto:a@evil.example
tel:+1234
intent://evil.example#Intent;scheme=https;end
chrome://settings
x-apple.systempreferences:
`
const ENCODED = String.raw`
/%09/evil.example
/%0a/evil.example
/%0d/evil.example
/%0d%0aLocation:%20https://evil.example
/%0d%0aSet-Cookie:%20a=b
/%E5%98%8D%E5%98%8A/%00
/%00//evil.example
/%00/evil.example
/cards%00.html
/cards%0a
/cards%7f
/%c2%85evil.example
/%252fevil.example
/%252f%252fevil.example
/%255cevil.example
/%25252fevil.example
/%2525252fevil.example
/%25%32%66evil.example
/%252e%252e/%252fevil.example
/%252e%252e%252f%252fevil.example
/%255c%255cevil.example
/%2509/evil.example
/%250d%250aLocation:x
/%2500
/cards%2f..%2f..%2fevil.example
/cards%2f%2fevil.example
/cards%5c..%5c
/..%2f..%2fevil.example
/..%5c..%5cevil.example
/%2e%2e%2f%2fevil.example
/%2e%2e%5cevil.example
/..%252f/evil.example
/%c0%af%c0%afevil.example
/%c0%2fevil.example
/%e0%80%afevil.example
/%ff
/%c3
/%f0%28%8c%bc
/%ed%a0%80
/%
/%2
/%zz
/%u002fevil.example
/%u2215evil.example
/@evil.example
/@evil.example/
/%40evil.example
/shop.example@evil.example
/:@evil.example
/user:password@evil.example/
/cards/@evil.example
/de/@evil.example
`
const NOT_BACK = String.raw`
/login
/login/
/login/bind
/login?redirect=/cards
/LOGIN
/Login
/%6cogin
/l%6Fgin
/./login
/a/../login
/cards/../login
/de/login
/de/../login
/%64e/login
/de/%6cogin
/en/login
/zh-tw/login/bind
/de/de/login
/en/de/login
/register
/de/register
/middle?url=/cards
/middle
/redirect?url=https://evil.example
/redirect
/loading
/loading/google?code=x&state=y
/api
/api/user/logout
/de/api/user/logout
/API/user/logout
/%61pi/user/logout
/api/../api/user/getUserInfo
/img/goods/steam.webp
/sandbox/mail
/sandbox
/console
/console/login
/de/console
/assets/entry.js
/healthz
/readyz
`
const RAW = [
  '',
  '\t//evil.example',
  '\n//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\r\nLocation: https://evil.example',
  '/\u0000/evil.example',
  '/\u001f/evil.example',
  '/\u007f',
  '/\u0085/evil.example',
  '/\u009f',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'https:\t//evil.example',
  'ht\ntps://evil.example',
  '\u0001https://evil.example',
  '\u00a0//evil.example',
  '\u2028//evil.example',
  '\ufeff//evil.example',
  '\u200b//evil.example',
  ' //evil.example',
  '/\ud800',
  '/\udc00/evil.example',
  '\ud83d/',
  `/${'a'.repeat(2_048)}`,
  `/${'鋼'.repeat(300)}`,
  `${'/..'.repeat(700)}//evil.example`,
  `/cards?x=${'a'.repeat(2_048)}`,
  '//evil.example\\..\\',
  '／／evil.example',
  '//\u3000evil.example',
  '/\\\t/evil.example',
  '/cards\\',
  '/cards?x=\\',
  '/cards#\\',
  '/cards?x=\n',
]

const lines = (text: string) => text.split('\n').filter((line) => line !== '')
const ALL = [
  ...lines(SCHEME_RELATIVE),
  ...lines(ABSOLUTE),
  ...lines(SCRIPTS),
  ...lines(ENCODED),
  ...lines(NOT_BACK),
  ...RAW,
]

test('the list is as long as it says', () => {
  expect(new Set(ALL).size).toBe(ALL.length)
  expect(ALL.length).toBeGreaterThanOrEqual(250)
})

describe('no way back', () => {
  test.each(ALL)('%j', (text) => {
    expect(ownPath(text)).toBeNull()
    expect(ownPath(text, SHOP)).toBeNull()
  })
})

describe('what only looks like one stays in the shop', () => {
  test.each([
    ['/evil.example', '/evil.example'],
    ['/https://evil.example', null],
    ['/https:/evil.example', '/https%3A/evil.example'],
    ['/javascript:alert(1)', '/javascript%3Aalert(1)'],
    ['/cards?x=//evil.example', '/cards?x=//evil.example'],
    ['/cards?url=//evil.example', '/cards'],
    ['/cards?redirect=https://evil.example/&page=2', '/cards?page=2'],
    ['/cards?redirect=%2F%2Fevil.example', '/cards'],
    ['/cards#//evil.example', '/cards'],
    ['/%EF%BC%8Fevil.example', '/%EF%BC%8Fevil.example'],
    ['/∕evil.example', '/%E2%88%95evil.example'],
    ['/loginx', '/loginx'],
    ['/cards/login', '/cards/login'],
  ])('%s', (text, path) => {
    expect(ownPath(text, SHOP)).toBe(path)
  })
})
