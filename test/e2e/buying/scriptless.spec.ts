import { expect, test } from '../page-checks.ts'
import { newShopper, post, registerOverWire, type Shopper } from '../people/shopper.ts'
import { ageProof, dataDirectory, NO_OPERATOR } from './operator.ts'
import { CARD, decideAtSandbox, newBuyer, TOP_UP } from './purchase.ts'

test.use({ javaScriptEnabled: false })
test.skip(dataDirectory === undefined, NO_OPERATOR)

/** Pays by card what has just led to the cashier. @returns the order */
async function payAtCashier(shopper: Shopper): Promise<string> {
  const { page, t, at } = shopper
  await expect(page).toHaveURL(new RegExp(`${at('/order/cashier')}\\?order=`))
  const order = new URL(page.url()).searchParams.get('order') ?? ''
  await page.locator('input[name=method][value=card]').check()
  await page.locator('input[name=agree]').check()
  await page.locator('main button[type=submit]:visible').last().click()
  await decideAtSandbox(shopper, 'approve')
  await expect(page).toHaveURL(at(`/order/detail?order=${order}`))
  await expect(
    page.locator('main').getByText(t('order.status.completed'), { exact: true }),
  ).toBeVisible()
  return order
}

test('without JavaScript a cart is paid, its key shown, marked and reported', async ({
  page,
  baseURL,
  isMobile,
  misdeeds,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', { language: isMobile ? 'ar' : 'en' })
  const { t, at } = shopper
  for (const line of [
    { item: CARD.item, quantity: 3, fields: {} },
    { item: TOP_UP.item, quantity: 1, fields: TOP_UP.fields },
  ])
    expect(await post(shopper, 'cart/add', line)).toMatchObject({ code: 1 })
  await page.goto(at('/shop-cart'))
  await page.locator('input[name=quantity][value="3"]').fill('1')
  await page
    .locator('form:has(input[name=quantity][value="3"])')
    .getByRole('button', { name: t('shop-cart.update') })
    .click()
  await expect(page.locator('input[name=quantity][value="1"]')).toHaveCount(2)
  await page
    .locator('main li')
    .filter({ hasText: TOP_UP.fields.user_id })
    .locator('form:not(:has(input[name=quantity])) button')
    .click()
  await expect(page.locator('main li input[name=quantity]')).toHaveCount(1)
  await page
    .getByRole('button', { name: t('shop-cart.pay') })
    .locator('visible=true')
    .click()

  const order = await payAtCashier(shopper)

  await ageProof(shopper.email)
  await page.reload()
  await page.getByRole('link', { name: t('cardpwd.reveal') }).click()
  await page.locator('#password').fill('not-the-password')
  await page.getByRole('button', { name: t('cardpwd.revealCode') }).click()
  await expect(page.locator('#password')).toHaveAttribute('aria-invalid', 'true')
  const code = page.locator('dd bdi.mono')
  await expect(code).toHaveCount(0)
  await page.locator('#password').fill(shopper.password)
  await page.getByRole('button', { name: t('cardpwd.revealCode') }).click()
  await expect(code).toBeVisible()
  const text = (await code.textContent()) ?? ''
  await page.getByRole('button', { name: t('cardpwd.markUsed') }).click()
  await expect(page.locator('main')).toContainText(t('cardpwd.state.used'))
  expect(await page.content()).not.toContain(text)

  await page.goto(at(`/order/detail?order=${order}&do=problem`))
  await page.locator('#reason').selectOption('code_invalid')
  await page.getByRole('button', { name: t('order.problemSend') }).click()
  await expect(page).toHaveURL(at(`/order/detail?order=${order}`))
  await page.getByRole('button', { name: t('order.withdraw') }).click()
  await expect(page.getByRole('button', { name: t('order.withdraw') })).toHaveCount(0)
  // Chromium itself writes a line about an answer of 422.
  misdeeds.consoleErrors.splice(0)
})

test('without JavaScript a product is put into the cart and bought at once, by its own form', async ({
  page,
  baseURL,
  isMobile,
  misdeeds,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', { language: isMobile ? 'ja' : 'en' })
  const { t, at } = shopper
  const press = (text: string) =>
    page.getByRole('button', { name: text, exact: true }).locator('visible=true').first().click()

  // What is missing is said at the cart, and the way back keeps what was chosen.
  await page.goto(at(TOP_UP.path))
  await page.locator(`label:has(input[name=item][value="${TOP_UP.item}"])`).click()
  await press(t('product.addToCart'))
  await expect(page).toHaveURL(at('/shop-cart'))
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('link', { name: t('shop-cart.toProduct') }).click()
  await expect(page.locator(`input[name=item][value="${TOP_UP.item}"]`)).toBeChecked()
  for (const [key, value] of Object.entries(TOP_UP.fields)) {
    const field = page.locator(`[name="field.${key}"]`)
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT')
      await field.selectOption(value)
    else await field.fill(value)
  }
  await press(t('product.addToCart'))
  await expect(page).toHaveURL(at('/shop-cart'))
  await expect(page.locator('main')).toContainText(TOP_UP.fields.user_id)

  await page.goto(at(CARD.path))
  await page.locator(`label:has(input[name=item][value="${CARD.item}"])`).click()
  await page
    .getByRole('button', { name: t('product.buyNow'), exact: true })
    .locator('visible=true')
    .first()
    .click()
  await payAtCashier(shopper)
  // Chromium itself writes a line about an answer of 422.
  misdeeds.consoleErrors.splice(0)
})

test('without JavaScript a visitor fills a cart, signs in on the way, pays, and has the order delivered', async ({
  page,
  context,
  baseURL,
  isMobile,
  misdeeds,
}) => {
  await context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }])
  const shopper = newShopper(page, baseURL ?? '', { language: isMobile ? 'de' : 'en' })
  await registerOverWire(shopper)
  await context.clearCookies({ name: /^(?:sid|signed_in)$/ })
  const { t, at } = shopper
  const add = () =>
    page
      .getByRole('button', { name: t('product.addToCart'), exact: true })
      .locator('visible=true')
      .first()
      .click()
  const lines = page.locator('main li:has(input[name=id])')

  await page.goto(at('/shop-cart'))
  await expect(page.getByText(t('shop-cart.emptyTitle'), { exact: true })).toBeVisible()
  // What is missing is said as to an account.
  await page.goto(at(TOP_UP.path))
  await page.locator(`label:has(input[name=item][value="${TOP_UP.item}"])`).click()
  await add()
  await expect(page).toHaveURL(at('/shop-cart'))
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('link', { name: t('shop-cart.toProduct') }).click()
  for (const [key, value] of Object.entries(TOP_UP.fields))
    await page.locator(`[name="field.${key}"]`).fill(value)
  await add()
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText(TOP_UP.fields.user_id)
  for (let count = 0; count < 2; count += 1) {
    await page.goto(at(CARD.path))
    await page.locator(`label:has(input[name=item][value="${CARD.item}"])`).click()
    await add()
  }
  await expect(lines).toHaveCount(2)
  const quantity = lines.first().locator('input[name=quantity]')
  await expect(quantity).toHaveValue('2')
  await quantity.fill('1')
  await lines
    .first()
    .getByRole('button', { name: t('shop-cart.update') })
    .click()
  await expect(quantity).toHaveValue('1')
  await lines
    .filter({ hasText: TOP_UP.fields.user_id })
    .locator('form')
    .last()
    .locator('button')
    .click()
  await expect(lines).toHaveCount(1)

  await page
    .getByRole('link', { name: t('shop-cart.pay'), exact: true })
    .locator('visible=true')
    .click()
  await expect(page).toHaveURL(new RegExp(`${at('/login')}\\?redirect=`))
  await shopper.fill(t('sign-in.account'), shopper.email)
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
  await expect(page).toHaveURL(at('/shop-cart'))
  await expect(page.locator('main input[name=select]')).toHaveCount(1)
  // The account has it now: what is taken out of that does not come again.
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('cart')
  await page
    .getByRole('button', { name: t('shop-cart.pay') })
    .locator('visible=true')
    .click()
  await payAtCashier(shopper)
  // Chromium itself writes a line about an answer of 422.
  misdeeds.consoleErrors.splice(0)
})

test('without JavaScript a form that is sent twice at the same moment makes one order and one payment', async ({
  page,
  baseURL,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '')
  const { at } = shopper
  const headers = { origin: baseURL ?? '' }
  /** Where each of the two leads. */
  const twice = async (path: string, form: Record<string, string>) => {
    const answers = await Promise.all(
      [1, 2].map(() => page.request.post(at(path), { form, headers, maxRedirects: 0 })),
    )
    expect(answers.map((answer) => answer.status())).toEqual([303, 303])
    return answers.map((answer) => answer.headers()['location'] ?? '')
  }
  /** What a form of the page shown would send. */
  const fieldsOf = (selector: string) =>
    page
      .locator(selector)
      .evaluate((form: HTMLFormElement) =>
        Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])),
      )

  await page.goto(at(CARD.path))
  await page.locator(`label:has(input[name=item][value="${CARD.item}"])`).click()
  const bought = await twice('/shop-cart', { ...(await fieldsOf('form#buy')), form: 'buyNow' })
  expect(new Set(bought).size).toBe(1)

  expect(
    await post(shopper, 'cart/add', { item: CARD.item, quantity: 1, fields: {} }),
  ).toMatchObject({ code: 1 })
  await page.goto(at('/shop-cart'))
  const ordered = await twice('/shop-cart', await fieldsOf('form#cart-pay'))
  expect(new Set(ordered).size).toBe(1)
  expect(ordered[0]).not.toBe(bought[0])

  const [cashier = ''] = ordered
  await page.goto(cashier)
  await page.locator('input[name=method][value=card]').check()
  await page.locator('input[name=agree]').check()
  const paths = await twice(cashier, await fieldsOf('form:has(input[name=agree])'))
  expect(new Set(paths).size).toBe(1)
  expect(paths[0]).toMatch(/\/sandbox\/payment\//)
})

test('without JavaScript a visitor is told at the button that they sign in first, and comes back to what was chosen', async ({
  page,
}) => {
  await page.goto(CARD.path)
  await page.locator(`label:has(input[name=item][value="${CARD.item}"])`).click()
  await page
    .locator('main button[value=buyNow]:visible, button[value=buyNow]:visible')
    .first()
    .click()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  const back = new URL(page.url()).searchParams.get('redirect') ?? ''
  await page.goto(back)
  await expect(page.locator(`input[name=item][value="${CARD.item}"]`)).toBeChecked()
})
