import fc from 'fast-check'
import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { contrast, RELEASE_THEME, type Theme } from '#features/base/theme/rules.ts'
import { theme as themeSchema } from '#features/base/theme/schema.ts'
import { LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import {
  ALERT_LABELS,
  linkOf,
  MAIL_KINDS,
  proofOf,
  type MailAlert,
  type MailKind,
  type MailOrder,
} from '../rules.ts'
import { renderLetter, type Letter } from './letter.ts'

const order: MailOrder = {
  id: 'pZ1xqk0bRk2v8k4y6c9w1A',
  number: '4829103756214',
  goods: ['2 × Vapour Gift Card: 10 USD', '1 × Star Quest: 60 gems'],
  total: '$24.99',
  amount: '$10.00',
  variant: 'underpaid',
  lines: [
    { name: 'Vapour Gift Card', detail: '2 × 10 USD', amount: '$20.00', picture: 'vapour' },
    { name: 'Star Quest', detail: '1 × 60 gems', amount: '$4.49', picture: 'gone' },
  ],
  fee: '$0.50',
  minutes: { count: 10, isMeasured: false },
}

const alert: MailAlert = {
  state: 'begun',
  matters: ALERT_LABELS.map((label) => ({
    label,
    count: 2,
    added: 0,
    since: '2026-11-20T14:05:00.000Z',
  })),
}

function letter(kind: MailKind, language: LanguageCode, given: Partial<Letter> = {}): Letter {
  const proof = proofOf(kind)
  return {
    kind,
    language,
    at: new Date('2026-11-20T14:05:00Z'),
    nickname: 'Ann',
    eraseAt: new Date('2026-12-20T00:00:00Z'),
    params: {
      browser: 'Firefox',
      system: 'Linux',
      network: '203.0.113.0/24',
      service: 'Google',
      factor: 'passkey',
      name: 'My key',
      ...(/^order_|^case_/.test(kind) ? { order } : {}),
      ...(kind === 'shop_alert' ? { alert } : {}),
      ...(kind === 'audit_head'
        ? { seal: { number: 7, hash: 'ab'.repeat(32), at: '2026-11-20T14:05:00.000Z' } }
        : {}),
    },
    code: proof?.withCode ? '482019' : null,
    covers: new Map([['vapour', { cid: 'cover-1', content: new Uint8Array([1]) }]]),
    link: proof?.page ? linkOf('https://shop.example', language, proof.page, 'k'.repeat(43)) : null,
    shop: {
      name: 'Lukado',
      signature: '',
      corporateName: 'Lukado Digital Goods',
      address: '1 Example Street',
      publicUrl: 'https://shop.example',
      timeZone: 'UTC',
      theme: RELEASE_THEME,
    },
    ...given,
  }
}

const render = (made: Letter) => renderLetter(made, translatorOf(made.language))
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  // Mail programs go by the sizes and sides of tables, and many drop every sheet.
  rules: { 'no-inline-style': 'off', 'require-sri': 'off', 'no-deprecated-attr': 'off' },
})

test.each(MAIL_KINDS)('%s reads the same as text and as HTML, in every language', async (kind) => {
  for (const language of LANGUAGE_CODES) {
    const made = letter(kind, language)
    const { subject, text, html, pictures } = render(made)
    expect(subject).toMatch(/^\P{Cc}+$/u)
    expect(subject).not.toContain('482019')
    for (const part of [made.code, made.link]) {
      if (!part) continue
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
    expect(`${subject} ${text} ${html}`).not.toMatch(
      /mail\.[a-zA-Z_]+|\{[a-z]+[,}]|undefined|\bnull\b|\[object/,
    )
    expect(html).toContain(
      `lang="${language === 'tl' ? 'fil' : language === 'zh' ? 'zh-CN' : language === 'zh-tw' ? 'zh-TW' : language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`,
    )
    // Nothing is fetched: what it shows goes along with it.
    expect(html).not.toMatch(/<script|<link|url\(|@import|src="(?!cid:)/)
    const shown = [...html.matchAll(/src="cid:([^"]+)"/g)].map(([, cid]) => cid)
    expect(shown).toEqual(pictures.map(({ cid }) => cid).filter((cid) => shown.includes(cid)))
    expect(wordsOf(html)).toBe(wordsOfText(text, made.link))
  }
  for (const language of ['en', 'ar'] as const) {
    const report = await validator.validateString(render(letter(kind, language)).html)
    expect(
      report.results.flatMap(({ messages }) => messages.map(({ message }) => message)),
    ).toEqual([])
  }
})

/** What a reader sees of the HTML, without what stands there twice for programs that show no button. */
function wordsOf(html: string): string {
  const [, body = ''] = html.split('<body')
  return lettersOf(
    body
      .replace(/^[^>]*>\s*<div style="display:none[^>]*>[^<]*<\/div>/, '')
      .replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1')
      .replace(/<p class="quiet"[^>]*>[^<]*<br><a class="link"[^>]*>[^<]*<\/a><\/p>/g, '')
      .replace(/<\/(?:p|h1|div|td|tr)>|<br>/g, '\n')
      .replace(/<[^>]+>/g, ''),
  )
}

/** The same of the plain text, without the rule over its foot and the addresses under its buttons. */
function wordsOfText(text: string, link: string | null): string {
  const isAddress = (line: string) => line === link || line.startsWith('https://shop.example/')
  const lines = text.split('\n').filter((line) => line !== '—' && !isAddress(line))
  return lettersOf(lines.join('\n'))
}

/** Lines of text have colons and dashes where a table has columns. */
function lettersOf(text: string): string {
  return text
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll(/[\s:：-]/gu, '')
}

test('a code stands in a line of its own, with what it is good for', () => {
  const { text } = render(letter('register_code', 'en', { nickname: null }))
  expect(text).toBe(`Lukado

Confirm your email address

Enter this code to finish creating your account:

482019

This code works once and expires in 10 minutes. Don’t share this code. We’ll never ask for it by phone or chat.

Or use this link instead:

Continue sign-up:
https://shop.example/mobile/register?key=${'k'.repeat(43)}

This link works once and expires in 24 hours.

If you didn’t ask for this, you can ignore this email.

—

You’re getting this email from Lukado because you have an account there, or because someone entered this address.
We can’t read replies to this email. Questions? https://shop.example/support
Lukado Digital Goods, 1 Example Street
`)
})

test("the operator's own words stand at the end of every mail, as text", () => {
  const plain = letter('password_changed', 'de')
  const { text, html } = render({
    ...plain,
    shop: { ...plain.shop, signature: 'Mara & Bao\nMon to Fri, <9 to 6>' },
  })
  expect(text).toContain('\n—\n\nMara & Bao\nMon to Fri, <9 to 6>\n')
  expect(html).toContain('Mara &amp; Bao</p>')
  expect(html).toContain('Mon to Fri, &lt;9 to 6&gt;</p>')
})

test('whoever runs the shop reads whether something began or more of it came, and how much', () => {
  const said = (added: number, language: LanguageCode = 'en') =>
    render(
      letter('shop_alert', language, {
        params: {
          alert: {
            state: 'begun',
            matters: [
              { label: 'disputes', count: 3, added, since: '2026-11-20T14:05:00.000Z' },
              { label: 'sold_out', count: 2, added: 0, since: '2026-11-20T14:05:00.000Z' },
            ],
          },
        },
      }),
    )
  expect(said(0).subject).toBe('Lukado: something needs your attention')
  expect(said(0).text).toContain('Disputes are open (3)\n20 November 2026')
  expect(said(2).subject).toBe('Lukado: more needs your attention')
  expect(said(2).text).toContain('Disputes are open (3, +2)\n20 November 2026')
  expect(said(2).text).toContain('Items are sold out (2)\n20 November 2026')
  for (const code of LANGUAGE_CODES)
    expect([code, said(2, code).subject]).not.toEqual([code, said(0, code).subject])
})

test('what weighs most is read first, whatever was found first', () => {
  const since = '2026-11-20T14:05:00.000Z'
  const { text, html } = render(
    letter('shop_alert', 'en', {
      params: {
        alert: {
          state: 'digest',
          matters: (['sold_out', 'disputes', 'broken_promises'] as const).map((label) => ({
            label,
            count: 1,
            added: 0,
            since,
          })),
        },
      },
    }),
  )
  for (const said of [text, html ?? '']) {
    const places = ['Checks found broken records', 'Disputes are open', 'Items are sold out'].map(
      (line) => said.indexOf(line),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
  }
})

test('a warning tells when and with what, in the language of the reader', () => {
  const english = render(letter('new_device', 'en')).text
  expect(english).toContain(
    'When: 20 November 2026 at 14:05 UTC\nDevice: Firefox on Linux\nNetwork: 203.0.113.0/24',
  )
  expect(english).toContain('https://shop.example/reset-password')
  expect(render(letter('new_device', 'ar')).text).toContain(
    'https://shop.example/ar/reset-password',
  )
  expect(render(letter('email_changed', 'en')).text).not.toContain('/reset-password')
})

test('links lead to the page of their purpose in the language of the reader', () => {
  expect(linkOf('https://shop.example', 'zh-tw', '/mobile/resetpwd', 'a+b')).toBe(
    'https://shop.example/zh-tw/mobile/resetpwd?key=a%2Bb',
  )
  const pages = Object.fromEntries(
    MAIL_KINDS.flatMap((kind) => {
      const page = proofOf(kind)?.page
      return page ? [[kind, page]] : []
    }),
  )
  expect(pages).toEqual({
    register_code: '/mobile/register',
    reset_code: '/mobile/resetpwd',
    mailbox_frozen: '/mobile/recoveryAccount',
    account_cancelling: '/mobile/recoveryAccount',
    sign_in_while_cancelling: '/mobile/recoveryAccount',
    operator_invited: '/console/invitation',
  })
  const invited = linkOf('https://shop.example', 'zh-tw', '/console/invitation', 'k')
  expect(invited).toBe('https://shop.example/console/invitation?key=k')
  const page = '/console/invitation'
  expect(linkOf('https://shop.example', 'de', page, 'k', 'https://desk.example')).toBe(
    'https://desk.example/console/invitation?key=k',
  )
})

test('whatever a name holds, it stays text, and the subject stays one line', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=y>',
      'a\r\nBcc: eve@evil.example',
      '{name}',
      "'{",
      '&lt;b&gt;',
      '</p></body>',
    ),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...MAIL_KINDS),
      fc.constantFrom('en', 'ar') as fc.Arbitrary<LanguageCode>,
      hostile,
      (kind, language, text) => {
        const usual = letter(kind, language)
        const plain = render({ ...usual, shop: { ...usual.shop, name: 'Corner' } })
        const { subject, html } = render(
          letter(kind, language, {
            nickname: text,
            params: {
              browser: text,
              system: text,
              network: text,
              service: text,
              factor: 'passkey',
              name: text,
            },
            shop: {
              name: text,
              signature: text,
              corporateName: text,
              address: text,
              publicUrl: 'https://shop.example',
              timeZone: 'UTC',
              theme: RELEASE_THEME,
            },
          }),
        )
        expect(subject).not.toMatch(/\p{Cc}/u)
        expect(tags(html).every((tag) => tags(plain.html).includes(tag))).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

function tags(html: string): string[] {
  return html.match(/<[^>]*>/g) ?? []
}

test('a mail written by the release before still tells its goods', () => {
  const { lines: _lines, fee: _fee, ...before } = order
  const { text, pictures } = render(letter('order_delivered', 'en', { params: { order: before } }))
  expect(text).toContain('\n2 × Vapour Gift Card: 10 USD\n\n1 × Star Quest: 60 gems\n')
  expect(text).toContain('\nTotal: $24.99\n')
  expect(pictures.map(({ cid }) => cid)).toContain('logo')
})

test("a mail shows the shop's lettering where it has one, else its name, and the covers that could be drawn", () => {
  const made = letter('order_delivered', 'en')
  const lettered = render(made)
  expect(lettered.html).toContain('<img src="cid:logo" width="143" height="28" alt="Lukado"')
  expect(lettered.html.match(/src="cid:cover-\d+"/g)).toEqual(['src="cid:cover-1"'])
  expect(lettered.pictures.map(({ cid }) => cid)).toEqual(['logo', 'cover-1'])
  const plain = render({ ...made, shop: { ...made.shop, name: 'Corner' }, covers: new Map() })
  expect(plain.html).toContain('<bdi>Corner</bdi>')
  expect(plain.html).not.toContain('<img')
  expect(plain.pictures).toEqual([])
})

test('amounts stand at the far side of their line, whichever way the reader reads', () => {
  const sidesIn = (language: LanguageCode) =>
    new Set(render(letter('order_delivered', language)).html.match(/align="(?:left|right)"/g))
  expect(sidesIn('en')).toEqual(new Set(['align="right"']))
  expect(sidesIn('ar')).toEqual(new Set(['align="left"']))
})

test('a mail about an order tells number, goods and amounts, and leads to its page', () => {
  const { subject, text } = render(
    letter('order_refunded', 'en', {
      params: { order: { ...order, variant: 'store_credit', minutes: null } },
    }),
  )
  expect(subject).toBe('Your refund for order 4829103756214')
  expect(text).toContain('Your refund of $10.00\n')
  expect(text).toContain(`We’ve added $10.00 to your store credit. You can use it right away.

View order:
https://shop.example/order/detail?order=pZ1xqk0bRk2v8k4y6c9w1A

Vapour Gift Card
2 × 10 USD
$20.00

Star Quest
1 × 60 gems
$4.49

Service fee: $0.50
Total: $24.99

Order: 4829103756214
`)
})

test('a mail wears the colours and corners of the shop, light and dark, and its words are read on them', () => {
  const theme: Theme = {
    light: {
      accent: '#0b5fd8',
      on_accent: '#ffffff',
      links: '#5a2ca0',
      page: '#f0f4ff',
      text: '#10203a',
    },
    dark: { accent: '#86bcff', on_accent: '#0c1110' },
    corners: 'square',
  }
  expect(themeSchema.safeParse(theme).success).toBe(true)
  const made = letter('order_delivered', 'en')
  const { html, pictures } = render({ ...made, shop: { ...made.shop, theme } })
  for (const part of [
    'background:#0b5fd8;border-radius:0px 0px 0 0',
    'color:#ffffff;font-size:22px',
    'color:#5a2ca0',
    'background:#f0f4ff',
    '.head{background:#86bcff!important}',
    '.label{color:#0c1110!important}',
  ])
    expect(html).toContain(part)
  expect(html).not.toMatch(/#121a18|#46524f|#f3f5f3|#0a5a63/)
  // The lettering is white on the release's ink: it does not go on another ground.
  expect(pictures.map(({ cid }) => cid)).not.toContain('logo')
  const [, quiet = ''] = /<p class="quiet" style="[^"]*color:(#[0-9a-f]{6})/.exec(html) ?? []
  expect(contrast(quiet, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  expect(contrast(quiet, '#f0f4ff')).toBeGreaterThanOrEqual(4.5)
})
