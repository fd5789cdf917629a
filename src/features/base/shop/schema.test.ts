import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { DEFAULT_SETTINGS } from './rules.ts'
import { shopSettings } from './schema.ts'
import { footerView, payTypeViews } from './views.ts'

const english = translatorOf('en')

test('what is left out keeps its default', () => {
  expect(shopSettings.parse({})).toEqual(DEFAULT_SETTINGS)
  expect(shopSettings.parse({ name: ' Corner shop ' })).toEqual({
    ...DEFAULT_SETTINGS,
    name: 'Corner shop',
  })
})

test("an operator's own words and links are shown as they are", () => {
  const settings = shopSettings.parse({
    corporate_name: 'Corner Ltd',
    footer: [{ title: 'Here', list: [{ title: 'Go', link: '/sales' }] }],
    social: [{ code: 'line', name: 'LINE', link: 'https://line.example/share?u={url}' }],
  })
  expect(footerView(settings, english, 'https://shop.example')).toEqual({
    footer_link: [{ title: 'Here', list: [{ title: 'Go', link: '/sales' }] }],
    corporate_name: 'Corner Ltd',
    address: DEFAULT_SETTINGS.address,
    copyright: DEFAULT_SETTINGS.copyright,
    social: [
      {
        code: 'line',
        name: 'LINE',
        link: 'https://line.example/share?u=https%3A%2F%2Fshop.example',
      },
    ],
  })
})

test.each([
  { nmae: 'typo' },
  { footer: [{ title: 'x', list: [{ title: 'y', link: '//evil.example' }] }] },
  { footer: [{ title: 'x', list: [{ title: 'y', link: 'javascript:alert(1)' }] }] },
  { social: [{ code: 'x', name: 'X', link: 'javascript:alert(1)' }] },
  { pay_types: [{ code: 'A b', name: 'x', icon: '/x.svg' }] },
  'text',
  null,
])('broken settings are refused: %j', (value) => {
  expect(shopSettings.safeParse(value).success).toBe(false)
})

test('every message of the defaults exists, and every icon is there', () => {
  const folder = join(PROJECT_ROOT, 'locales', 'en')
  const messages = Object.assign(
    {},
    ...readdirSync(folder).map(
      (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as object,
    ),
  ) as Record<string, string>
  const texts = [
    ...DEFAULT_SETTINGS.footer.flatMap((group) => [
      group.title,
      ...group.list.map((item) => item.title),
    ]),
    ...DEFAULT_SETTINGS.payTypes.map((type) => type.name),
  ]
  for (const text of texts) expect(messages).toHaveProperty(['message' in text ? text.message : ''])
  for (const { icon } of payTypeViews(
    { ...DEFAULT_SETTINGS, payTypes: [...DEFAULT_SETTINGS.payTypes] },
    [],
    english,
  ))
    expect(readFileSync(join(PROJECT_ROOT, 'src/storefront/public', icon), 'utf8')).toMatch(
      /^<svg /,
    )
})

test('of the usual ways to pay those are named that the shop offers', () => {
  const codes = (offered: { group: string; icon: string }[]) =>
    payTypeViews(DEFAULT_SETTINGS, offered, english).map(({ code }) => code)
  expect(codes([])).toEqual([])
  expect(codes([{ group: 'card', icon: 'card' }])).toEqual(['card'])
  expect(
    codes([
      { group: 'balance', icon: 'coin' },
      { group: 'bank', icon: 'bank' },
      { group: 'card', icon: 'wallet' },
    ]),
  ).toEqual(['ewallet', 'bank', 'balance'])
})

test('the page about upgrades names every setting that the release 7a503f7 refuses', () => {
  const known = ['name', 'corporate_name', 'address', 'copyright', 'footer', 'pay_types', 'social']
  const newer = Object.keys(shopSettings.in.shape).filter((name) => !known.includes(name))
  const page = readFileSync(join(PROJECT_ROOT, 'docs', 'operating', 'upgrade.md'), 'utf8')
  expect(page).toContain(`'{${newer.join(',')}}'::text[]`)
})
