import type { Page } from '@playwright/test'
import { expect, test } from './page-checks.ts'

/**
 * What a person does first, as soon as they see where to, on a slow phone far away: before the part of the page it belongs to is alive.
 * Nothing of it may be lost or happen twice.
 */
const SLOW_NET = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
}
const CPU_RATE = 6
const TOP_UP = '/top-up/mobile-legends-global'

test.beforeEach(async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }])
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.emulateNetworkConditions', SLOW_NET)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
})

/** Opens a page and acts as soon as the element is painted; says so if it came alive before, as then the test tells nothing. */
async function touchFirst(
  page: Page,
  path: string,
  selector: string,
  island: string,
  act: (element: HTMLElement) => void,
): Promise<void> {
  const wanted = JSON.stringify({ selector, island })
  const { promise: wasAlive, resolve } = Promise.withResolvers<boolean>()
  await page.exposeFunction('acting', resolve)
  await page.addInitScript({
    content: `(${actOncePainted.toString()})(${wanted}, ${act.toString()})`,
  })
  await page.goto(path, { waitUntil: 'commit' })
  // Told by the page before it acts, as it may be another one right after.
  expect(await wasAlive).toBe(false)
}

/** Runs in the page. */
function actOncePainted(
  { selector, island }: { readonly selector: string; readonly island: string },
  act: (element: HTMLElement) => void,
): void {
  const look = (): void => {
    const element = [...document.querySelectorAll<HTMLElement>(selector)].find((found) =>
      found.checkVisibility(),
    )
    const isPainted = performance.getEntriesByType('paint').length > 0
    if (!element || !isPainted) return void requestAnimationFrame(look)
    const home = document.querySelector<HTMLElement>(`[data-island=${island}]`)
    const { acting } = window as unknown as { acting: (wasAlive: boolean) => void }
    acting(home?.dataset['alive'] !== undefined)
    act(element)
  }
  requestAnimationFrame(look)
}

function inCart(page: Page): Promise<{ item: string; quantity: number }[]> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? '[]') as never)
}

test('the first touch of search opens it, and what was typed is looked for', {
  tag: '@phone',
}, async ({ page }) => {
  await touchFirst(page, '/', '#header-search, #home-search', 'search', (input) => {
    input.focus()
    ;(input as HTMLInputElement).value = 'genshin'
  })
  const panel = page.getByRole('dialog').locator('visible=true')
  await expect(panel.getByRole('link').first()).toContainText(/Genshin/)
  // The caret stays behind what was typed.
  await page.keyboard.type(' impact')
  await expect(page.locator('input[role=combobox]:focus')).toHaveValue('genshin impact')
})

test('the first touch of the menu opens it', async ({ page, isMobile }) => {
  await page.goto('/cards', { waitUntil: 'commit' })
  if (isMobile) {
    await page.getByRole('button', { name: 'Menu' }).click()
    const drawer = page.getByRole('navigation', { name: 'Menu' })
    await expect(drawer).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
  } else {
    const menu = page.locator('header summary').first()
    await menu.click()
    await expect(page.locator('header details[open]')).toHaveCount(1)
    await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
    await page.keyboard.press('Escape')
    await expect(page.locator('header details[open]')).toHaveCount(0)
    await expect(menu).toBeFocused()
  }
})

test('the first touch of the heart leads a visitor to sign in, and back to the product', {
  tag: '@phone',
}, async ({ page }) => {
  await touchFirst(page, TOP_UP, '[data-island=favourite] button', 'favourite', (heart) =>
    heart.click(),
  )
  await expect(page).toHaveURL(/\/login\?redirect=%2Ftop-up%2Fmobile-legends-global$/)
})

test('the first choice of an amount counts, and its price stands in the summary', {
  tag: '@phone',
}, async ({ page }) => {
  await touchFirst(page, TOP_UP, 'label:has(input[name=item])', 'amounts', (amount) =>
    amount.click(),
  )
  await expect(page.locator('[data-island=summary]')).toHaveAttribute('data-alive', '')
  const chosen = page.locator('label:has(input[name=item]:checked)')
  await expect(chosen).toHaveCount(1)
  const price = (await chosen.locator('bdi').last().textContent()) ?? '?'
  await expect(page.locator('[data-island=summary] dl > div').last()).toContainText(price)
})

test('amount, account and "Add", all before the page is alive, are in the cart once', {
  tag: '@phone',
}, async ({ page }) => {
  await touchFirst(page, TOP_UP, '[data-island=summary] button[value=add]', 'summary', (add) => {
    document.querySelector<HTMLElement>('label:has(input[name=item])')?.click()
    for (const field of document.querySelectorAll<HTMLInputElement>('[data-field]'))
      field.value = field.dataset['field'] === 'user_id' ? '128844509' : '2204'
    add.click()
    add.click()
  })
  await expect
    .poll(() => inCart(page))
    .toMatchObject([{ quantity: 1, fields: { user_id: '128844509', zone_id: '2204' } }])
  await expect(page.locator('header [data-cart]')).toHaveAccessibleName('Cart: 1')
  await expect(page.locator('[data-field=user_id]')).toHaveValue('128844509')
})

test('"Add" is answered while React is still on its way', { tag: '@phone' }, async ({ page }) => {
  const react = Promise.withResolvers<void>()
  await page.route('**/assets/react-*.js', async (route) => {
    await react.promise
    await route.continue()
  })
  await touchFirst(page, TOP_UP, '[data-island=summary] button[value=add]', 'summary', (add) => {
    document.querySelector<HTMLElement>('label:has(input[name=item])')?.click()
    for (const field of document.querySelectorAll<HTMLInputElement>('[data-field]'))
      field.value = field.dataset['field'] === 'user_id' ? '128844509' : '2204'
    add.click()
  })
  await expect.poll(() => inCart(page)).toMatchObject([{ quantity: 1 }])
  await expect(page.locator('header [data-cart]')).toHaveAccessibleName('Cart: 1')
  // Pressed again, as nothing but the number at the cart has answered yet: it means the same goods.
  await page.locator('[data-island=summary] button[value=add]').last().evaluate(click)
  react.resolve()
  await expect(page.locator('[data-island=summary]')).toHaveAttribute('data-alive', '')
  await expect(page.locator('[data-island=toasts]')).toContainText('Cart')
  expect(await inCart(page)).toMatchObject([{ quantity: 1 }])
  await expect(page.locator('[data-field=user_id]')).toHaveValue('128844509')
})

function click(element: HTMLElement | SVGElement): void {
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
}

test('two presses on "more" and one on "Add" put three into the cart', { tag: '@phone' }, async ({
  page,
}) => {
  await touchFirst(
    page,
    '/cards/steam-us',
    '[data-island=summary] button[value=add]',
    'summary',
    (add) => {
      document.querySelectorAll<HTMLElement>('label:has(input[name=item])')[1]?.click()
      const more = document.querySelector<HTMLElement>('input[type=number] + button')
      more?.click()
      more?.click()
      add.click()
    },
  )
  await expect.poll(() => inCart(page)).toMatchObject([{ quantity: 3 }])
})

const ADD = '[data-island=summary] button[value=add]'

/** The file that answers a press on a product's page cannot be had there; on the next page it can. */
async function loseEarly(page: Page, until: Promise<void>): Promise<void> {
  await page.route('**/assets/early-*.js', async (route) => {
    await until
    await (route.request().frame().url().includes('/cards/') ? route.abort() : route.continue())
  })
}

/** As for a visitor whose browser runs no script: the goods are in the cart, once. */
async function expectInCartOnce(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/shop-cart$/)
  await expect(page.locator('main').getByRole('link', { name: /Steam/ })).toHaveCount(1)
  await expect(page.locator('header [data-cart]')).toHaveAccessibleName('Cart: 1')
}

test('a press whose part of the page cannot be loaded is done by the browser itself', {
  tag: '@phone',
}, async ({ page, misdeeds }) => {
  const { promise: isPressed, resolve: pressed } = Promise.withResolvers<void>()
  await loseEarly(page, isPressed)
  await touchFirst(page, '/cards/steam-us', ADD, 'summary', (add) => {
    document.querySelectorAll<HTMLElement>('label:has(input[name=item])')[1]?.click()
    add.click()
  })
  pressed()
  await expectInCartOnce(page)
  misdeeds.consoleErrors.splice(0)
})

test('and so is one that comes after it could not be loaded', { tag: '@phone' }, async ({
  page,
  misdeeds,
}) => {
  await loseEarly(page, Promise.resolve())
  await page.goto('/cards/steam-us')
  await page.locator('label:has(input[name=item])').nth(1).click()
  await page.locator(ADD).locator('visible=true').first().click()
  await expectInCartOnce(page)
  misdeeds.consoleErrors.splice(0)
})
