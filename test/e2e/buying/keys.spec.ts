import type { Page } from '@playwright/test'
import { expectArrived, keyboardOf, type Keyboard } from '../keyboard.ts'
import { bringToLife, expect, skipOffScreen, test } from '../page-checks.ts'
import { expectSignedIn, newShopper, registerOverWire, type Shopper } from '../people/shopper.ts'
import { ageProof, dataDirectory, NO_OPERATOR } from './operator.ts'
import { CARD } from './purchase.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

/** No pointer moves on this journey: Tab, Shift+Tab, Enter, Space, Escape and the arrows alone. */
for (const language of ['en', 'ar'] as const)
  test(`by keys alone from the home page to a key (${language})`, async ({
    page,
    context,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, 'desktop')
    const shopper = newShopper(page, baseURL ?? '', { language })
    await registerOverWire(shopper)
    await context.clearCookies({ name: /^(?:sid|signed_in)$/ })
    const keys = await keyboardOf(page)

    await page.goto(shopper.at('/'))
    await bringToLife(page)
    await test.step('past the banner and the header', () => enter(shopper, keys))
    await test.step('a menu of the header', () => openMenu(shopper, keys))
    await test.step('the search panel', () => find(shopper, keys))
    await test.step('an amount, into the cart', () => choose(shopper, keys))
    await test.step('signing in on the way', () => signIn(shopper, keys))
    const order = await test.step('a way to pay', () => pay(shopper, keys))
    await ageProof(shopper.email)
    await test.step('the key', () => reveal(shopper, keys, order))
  })

/** The banner is answered early, and the link past the header leads past it. */
async function enter({ page, t }: Shopper, keys: Keyboard): Promise<void> {
  const skip = page.getByRole('link', { name: t('shell.skip'), exact: true })
  await keys.reach(skip)
  await keys.press(page.locator('form[data-consent-form] button').first(), 'Space')
  await expect(page.locator('form[data-consent-form]')).toBeHidden()
  await expectPlace(page)
  await page.reload()
  await bringToLife(page)
  await keys.press(skip)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
}

async function openMenu({ page }: Shopper, keys: Keyboard): Promise<void> {
  const menu = page.locator('header details[name=nav]').nth(1)
  const name = menu.locator('summary')
  await keys.press(name, 'Enter', 'Shift+Tab')
  await expect(menu).toHaveJSProperty('open', true)
  await keys.reach(menu.locator('a').first())
  await keys.look()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveJSProperty('open', false)
  await expect(name).toBeFocused()
  await page.keyboard.press('Space')
  await expect(menu).toHaveJSProperty('open', true)
  const last = menu.locator('a').last()
  const path = new URL((await last.getAttribute('href')) ?? '', page.url()).pathname
  await keys.press(last)
  await expectArrived(page, path)
}

async function find({ page, at }: Shopper, keys: Keyboard): Promise<void> {
  const input = page.locator('#header-search')
  await keys.type(input, 'steam')
  await expect(input).toHaveAttribute('aria-expanded', 'true')
  const hit = page.locator(`[role=dialog] a[href="${at(CARD.path)}"]`).first()
  await expect(hit).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(hit).toBeFocused({ timeout: 100 })
  }).toPass({ timeout: 60_000 })
  await keys.look()
  await page.keyboard.press('Enter')
  await expectArrived(page, at(CARD.path))
}

async function choose({ page, t, at }: Shopper, keys: Keyboard): Promise<void> {
  const amounts = page.locator('main input[name=item]')
  const first = amounts.first()
  await keys.reach(page.locator('main input[name=item]:checked'))
  await keys.look()
  for (let step = 0; step < (await amounts.count()) && !(await first.isChecked()); step += 1)
    await page.keyboard.press('ArrowUp')
  await expect(first).toBeFocused()
  await keys.look()
  await page.keyboard.press('ArrowDown')
  await expect(amounts.nth(1)).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(first).toBeChecked()
  await keys.press(page.getByRole('button', { name: t('product.addToCart'), exact: true }))
  const cart = page.locator(`header a[href="${at('/shop-cart')}"]`)
  await expect(cart).toContainText('1')
  await expectPlace(page)
  await keys.press(cart, 'Enter', 'Shift+Tab')
  await expectArrived(page, at('/shop-cart'))
}

async function signIn(shopper: Shopper, keys: Keyboard): Promise<void> {
  const { page, t, at } = shopper
  await keys.press(page.getByRole('link', { name: t('shop-cart.pay'), exact: true }))
  await expectArrived(page, new RegExp(`${at('/login')}\\?redirect=`))
  await keys.type(page.locator('#account'), shopper.email)
  await keys.type(page.locator('#password'), shopper.password)
  await keys.press(page.getByRole('button', { name: t('sign-in.submit'), exact: true }))
  await expectArrived(page, at('/shop-cart'))
  await expectSignedIn(shopper)
  await expect(page.locator('main input[name=select]')).toHaveCount(1)
}

/** @returns the number of the order in its address */
async function pay({ page, t, at }: Shopper, keys: Keyboard): Promise<string> {
  await keys.press(page.getByRole('button', { name: t('shop-cart.pay'), exact: true }))
  await expectArrived(page, new RegExp(`${at('/order/cashier')}\\?order=`))
  const order = new URL(page.url()).searchParams.get('order') ?? ''
  const methods = page.locator('main input[name=method]:enabled')
  await keys.reach(page.locator('main input[name=method]:checked'))
  await keys.look()
  const card = page.locator('main input[name=method][value=card]')
  for (let step = 0; step < (await methods.count()); step += 1) {
    await page.keyboard.press('ArrowDown')
    if (await card.isChecked()) break
  }
  await expect(card).toBeFocused()
  // Told what is missing at its place, and led there.
  const submit = page.locator('main form button[type=submit]').locator('visible=true').first()
  await keys.press(submit)
  const agree = page.locator('main input[name=agree]')
  await expect(agree).toBeFocused()
  await expect(agree).toHaveAttribute('aria-invalid', 'true')
  await keys.look()
  await page.keyboard.press('Space')
  await expect(agree).toBeChecked()
  await keys.press(submit)
  await expect(page).toHaveURL(/\/sandbox\/payment\//)
  await keys.press(page.locator('button.go'))
  await expect(page).toHaveURL(at(`/order/detail?order=${order}`))
  return order
}

async function reveal({ page, t, at, password }: Shopper, keys: Keyboard, order: string) {
  await page.goto(at(`/order/detail?order=${order}`))
  await bringToLife(page)
  await keys.press(page.locator('main').getByRole('link', { name: t('cardpwd.reveal') }))
  await expect(page.locator('#password')).toBeVisible()
  await bringToLife(page)
  await keys.type(page.locator('#password'), password)
  await keys.press(page.getByRole('button', { name: t('cardpwd.revealCode'), exact: true }))
  await expect(page.locator('dd bdi.mono').first()).toBeVisible()
  await expectPlace(page)
  await keys.press(page.getByRole('button', { name: t('cardpwd.hide'), exact: true }))
  await expect(page.locator('dd bdi.mono')).toHaveCount(0)
  await expectPlace(page)
}

/** What was pressed may have gone; whoever pressed it is not back at the start of the page. */
async function expectPlace(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.tagName ?? 'BODY'))
    .not.toBe('BODY')
}
