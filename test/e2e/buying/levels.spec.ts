import { expect, expectNoLayoutShift, test } from '../page-checks.ts'
import { cli, dataDirectory, NO_OPERATOR } from './operator.ts'
import { CARD, newBuyer } from './purchase.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** A level of this journey alone, which others' prices know nothing of. */
const LEVEL = { 7: { off_basis_points: 1_000, name: { en: 'Gold', ar: 'ذهبي' } } }

/** The amount of money in a text, as a number. */
const amountOf = (text: string | null) =>
  Number(/(\d[\d.,]*)/.exec(text ?? '')?.[1]?.replace(',', '') ?? NaN)

/** A first frame may be drawn while half of a button has come; a price that moves what stands beside it moves more. */
const DRAWN_HALF = 0.0005

test('a shopper of a level sees their price on the page of a product, in the cart and at the cashier', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  const { t, at } = shopper
  const level = isMobile ? 'ذهبي' : 'Gold'
  const scripts: string[] = []
  page.on('request', (request) => {
    if (/level-prices/.test(request.url())) scripts.push(request.url())
  })
  const tile = page.locator(`label:has(input[name=item][value="${CARD.item}"])`)
  const price = tile.locator('bdi').last()

  await shopper.open(CARD.path)
  await page.waitForLoadState('networkidle')
  const retail = amountOf(await price.textContent())
  expect(retail).toBeGreaterThan(0)
  expect(scripts, 'nothing of it is fetched for others').toEqual([])

  await cli('settings', 'set', 'prices.levels', JSON.stringify(LEVEL))
  await cli('price', 'level', shopper.email, '7')
  await expect
    .poll(
      async () => {
        const answer = await page.request.get('/api/goods/prices?code=steam-us&lang=en')
        return ((await answer.json()) as { data: { list: unknown[] } }).data.list.length
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0)

  await page.goto(at(CARD.path))
  await expect.poll(async () => amountOf(await price.textContent())).toBeLessThan(retail)
  const own = amountOf(await price.textContent())
  expect(own).toBeCloseTo(retail * 0.9, 1)
  await expectNoLayoutShift(page, DRAWN_HALF)
  await shopper.examine()
  await tile.click()
  await expect(tile).toContainText(level)
  const row = page.locator('aside dl > div', { hasText: t('api.yourPriceOf', { level }) })
  expect(amountOf(await row.locator('dd s').textContent())).toBe(retail)
  expect(amountOf(await row.locator('dd bdi').textContent())).toBe(own)

  const added = page.waitForResponse(/\/api\/cart\/add/)
  await page
    .getByRole('button', { name: t('product.addToCart'), exact: true })
    .locator('visible=true')
    .first()
    .click()
  expect(await (await added).json()).toMatchObject({ code: 1 })
  await shopper.open('/shop-cart')
  const line = page.locator('main li').filter({ hasText: 'Steam' })
  await expect(line).toContainText(t('api.yourPriceOf', { level }))
  expect(amountOf(await line.locator('b bdi.num').textContent())).toBe(own)
  expect(amountOf(await line.locator('s').textContent())).toBe(retail)
  await shopper.examine()
  await page
    .getByRole('button', { name: t('shop-cart.pay') })
    .locator('visible=true')
    .click()
  await expect(page).toHaveURL(new RegExp(`${at('/order/cashier')}\\?order=`))
  await expect(page.locator('main')).toContainText(String(own.toFixed(2)))
})

test('a shopper of a level sees their prices on lists, on the page of a game and beside a product', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', { language: isMobile ? 'ar' : 'en' })
  const { at } = shopper
  const game = '/game/mobile-legends'
  /** What is seen first of a page that is the same for everybody, and what stands there once a level is known. */
  const listed = () => page.locator(`main li > a[href$="${CARD.path}"] > span:last-child > bdi`)
  const offered = () =>
    page.locator('main form label:has(input[name=item]:enabled) > span:last-child > bdi')
  /** What a search found is drawn by React. */
  const found = () =>
    page.locator(`main div:has(> div > a[href$="${CARD.path}"]) > span:last-child > bdi`)
  const seen = async (path: string, price: () => ReturnType<typeof listed>) => {
    await page.goto(at(path))
    await page.waitForLoadState('networkidle')
    return amountOf(await price().first().textContent())
  }
  const search = '/search?keywords=steam'
  const [tile, pack, hit] = [
    await seen('/cards', listed),
    await seen(game, offered),
    await seen(search, found),
  ]
  expect(hit).toBeGreaterThan(0)
  expect(tile).toBeGreaterThan(0)
  expect(pack).toBeGreaterThan(0)

  await cli('settings', 'set', 'prices.levels', JSON.stringify(LEVEL))
  await cli('price', 'level', shopper.email, '7')
  for (const [path, price, retail] of [
    ['/cards', listed, tile],
    [game, offered, pack],
    [search, found, hit],
  ] as const)
    await expect.poll(() => seen(path, price), { timeout: 60_000 }).toBeCloseTo(retail * 0.9, 1)
  await expectNoLayoutShift(page, DRAWN_HALF)
  const script = page.context().browser()
  const others = await script?.newPage({ javaScriptEnabled: false })
  await others?.goto(new URL(at('/cards'), baseURL).href)
  expect(
    amountOf(
      (await others
        ?.locator(`main li > a[href$="${CARD.path}"] > span:last-child > bdi`)
        .first()
        .textContent()) ?? null,
    ),
  ).toBe(tile)
  await others?.close()
})
