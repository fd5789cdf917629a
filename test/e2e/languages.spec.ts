import { LANGUAGES } from '../../src/kernel/language.ts'
import { bringToLife, expect, expectNoOverflow, test } from './page-checks.ts'

const PATHS = [
  '/',
  '/cards',
  '/top-up/mobile-legends-global',
  '/cards/steam-us',
  '/search?keywords=steam',
  '/game/mobile-legends',
]

test('every language answers on every kind of page with its own lang, dir and words', async ({
  request,
  baseURL,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'the same bytes for every screen')
  const titles = new Map<string, Set<string>>()
  for (const language of LANGUAGES) {
    for (const path of PATHS) {
      const address = path === '/' ? language.prefix || '/' : `${language.prefix}${path}`
      const response = await request.get(`${baseURL}${address}`, {
        headers: { 'accept-language': 'en' },
      })
      const html = await response.text()
      expect(response.status(), address).toBe(200)
      expect(html, address).toContain(`<html lang="${language.tag}" dir="${language.dir}"`)
      // Pages kept out of search engines name no other languages to them.
      expect(html.match(/hreflang=/g)?.length ?? 0, address).toBe(
        html.includes('content="noindex') ? 0 : 22,
      )
      const seen = titles.get(path) ?? new Set<string>()
      seen.add(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '')
      titles.set(path, seen)
    }
  }
  expect(titles.get('/cards')?.size).toBeGreaterThan(15)
})

/** Longer, accented texts: what a translation does to a layout, done to every text of the page. */
test('a pseudo-language a third longer breaks no layout', async ({ page }) => {
  for (const path of PATHS) {
    await page.goto(path)
    // React would find texts it has not written.
    await bringToLife(page)
    await page.evaluate(() => {
      const accents: Record<string, string> = {
        a: 'á',
        e: 'ê',
        i: 'ï',
        o: 'ö',
        u: 'ü',
        A: 'Å',
        E: 'É',
        O: 'Ø',
        U: 'Ü',
        n: 'ñ',
        c: 'ç',
      }
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
      for (const text of texts) {
        if (!/\p{L}{2}/u.test(text.data) || text.parentElement?.closest('script, style')) continue
        const stretched = text.data.replace(/[aeiouAEOUnc]/g, (letter) => accents[letter] ?? letter)
        text.data = stretched.replace(
          /\p{L}+$/u,
          (word) => word + 'é'.repeat(Math.ceil(text.data.length / 3) % 9),
        )
      }
    })
    await expectNoOverflow(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoOverflow(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  }
})

test('no line of Japanese begins within a word of katakana', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [
    '/ja/top-up/mobile-legends-global',
    '/ja/cards/steam-us',
    '/ja/mobile-recharge',
  ]) {
    await page.goto(path)
    expect(await page.evaluate(cutKatakana), path).toEqual([])
  }
})

/** Texts with the place where a line begins between two katakana. Runs in the page. */
function cutKatakana(): string[] {
  const cut: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node as Text).data
    const box = node.parentElement?.getBoundingClientRect()
    // What only screen readers read is a pixel wide.
    if (!box || box.width < 2 || !node.parentElement?.checkVisibility()) continue
    for (const { index } of text.matchAll(/(?<=[ァ-ヶー])[ァ-ヶー]/g)) {
      const [before, after] = [index - 1, index].map((at) => {
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return range.getBoundingClientRect()
      })
      if (before && after && after.top > before.top + before.height / 2)
        cut.push(`${text.slice(0, index)}|${text.slice(index)}`)
    }
  }
  return cut
}
