import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/base/shop/rules.ts'
import { hasFooter, linksOf } from './load.ts'

test('links that take the address are for sharing, others are the shop elsewhere', () => {
  const social = [
    { code: 'telegram', name: 'Telegram', link: 'https://t.me/share/url?url={url}' },
    { code: 'telegram', name: 'Our channel', link: 'https://t.me/corner' },
    { code: 'other', name: 'Elsewhere', link: 'https://elsewhere.example/corner' },
  ]
  const { profiles, share } = linksOf({ social }, social)
  expect(share.map(({ label, icon }) => [label, icon])).toEqual([['Telegram', 'megaphone']])
  expect(profiles.map(({ label, icon }) => [label, icon])).toEqual([
    ['Our channel', 'megaphone'],
    ['Elsewhere', 'link'],
  ])
})

test('nobody follows a shop that names no page elsewhere, and no two ways to share look alike', () => {
  const { profiles, share } = linksOf(DEFAULT_SETTINGS, [...DEFAULT_SETTINGS.social])
  expect(profiles).toEqual([])
  expect(new Set(share.map(({ icon }) => icon)).size).toBe(DEFAULT_SETTINGS.social.length)
})

test('the home page goes without footer where the shop says so, other pages do not', () => {
  const pages = (homeFooter: boolean) =>
    (['home', 'default', 'news', 'custom-temp'] as const).map((layout) =>
      hasFooter(layout, { homeFooter }),
    )
  expect(pages(DEFAULT_SETTINGS.homeFooter)).toEqual([true, true, true, false])
  expect(pages(false)).toEqual([false, true, true, false])
})
