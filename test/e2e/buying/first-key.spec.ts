import { readFileSync } from 'node:fs'
import { getLanguage } from '../../../src/kernel/language.ts'
import { readPdfText } from '../../support/pdf-text.ts'
import { expect, test, skipOffScreen } from '../page-checks.ts'
import { expectSignedIn, newShopper, registerOverWire, type Shopper } from '../people/shopper.ts'
import { ageProof, credited, dataDirectory, NO_OPERATOR } from './operator.ts'
import {
  CARD,
  decideAtSandbox,
  expectPaidOrder,
  pressPay,
  recordAnswers,
  TOP_UP,
  type Placed,
} from './purchase.ts'

test.skip(dataDirectory === undefined, NO_OPERATOR)

for (const [language, screen] of [
  ['en', 'phone'],
  ['ar', 'desktop'],
  ['ja', 'desktop'],
] as const) {
  test(`a visitor fills a cart, signs in on the way, pays, and holds the key (${language})`, async ({
    page,
    context,
    baseURL,
    isMobile,
  }) => {
    skipOffScreen(isMobile, screen)
    await context.addCookies([{ name: 'consent', value: 'refuse', url: baseURL ?? '' }])
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseURL ?? '' })
    // English on the desktop and Arabic on the phone are looked at page by page.
    const shopper = newShopper(page, baseURL ?? '', {
      language,
      isExamined: language !== 'ja',
    })
    await registerOverWire(shopper)
    await context.clearCookies({ name: /^(?:sid|signed_in)$/ })
    const answers = recordAnswers(page)

    await test.step('a top-up is found by searching, a card in the list', () => fillCart(shopper))
    await test.step('signing in brings the cart along', () => signInFromCart(shopper))
    const placed =
      await test.step('the cashier tells the fees first and wants the terms agreed to', () =>
        choosePayment(shopper))
    await test.step('the payment service asks for a code', () => payAtSandbox(shopper))
    await expectPaidOrder(shopper, placed)
    await ageProof(shopper.email)
    const code = await test.step('the key is shown to who proves it', () =>
      reveal(shopper, placed, answers))
    await test.step('the key is copied, marked and hidden', () => useKey(shopper, code))
    await test.step('the top-up is credited by its supplier', () => beCredited(shopper, placed))
    await test.step('the receipt is a file', () => fetchReceipt(shopper, placed))
    await test.step('what was bought is reviewed', () => review(shopper, 2))
    await test.step('mails and notices lead to the order, and say no key', () =>
      readNews(shopper, placed, code, ['order_paid_by_hand', 'order_credited']))
  })
}

async function fillCart(shopper: Shopper): Promise<void> {
  const { page, t, at } = shopper
  await shopper.open('/')
  const search = page.locator('#header-search, #home-search').locator('visible=true').first()
  await search.fill('mobile legends')
  await search.press('Enter')
  await page
    .locator(`main a[href="${at(TOP_UP.path)}"]`)
    .first()
    .click()
  await page.locator(`label:has(input[name=item][value="${TOP_UP.item}"])`).click()
  await addToCart(shopper)
  // What is missing is said at its field.
  await expect(page.locator('#field-user_id')).toBeFocused()
  await page.locator('#field-user_id').fill(TOP_UP.fields.user_id)
  await page.locator('#field-zone_id').fill(TOP_UP.fields.zone_id)
  await addToCart(shopper)
  await expect(
    page
      .locator(`header a[href="${at('/shop-cart')}"]`)
      .locator('visible=true')
      .first(),
  ).toContainText('1')

  await shopper.open('/cards')
  await page
    .locator(`main a[href="${at(CARD.path)}"]`)
    .first()
    .click()
  await page.locator(`label:has(input[name=item][value="${CARD.item}"])`).click()
  await page
    .getByRole('button', { name: t('product.buyNow'), exact: true })
    .locator('visible=true')
    .click()
  await expect(page).toHaveURL(at('/shop-cart'))
  await expect(page.locator('main li button[aria-label]').first()).toBeVisible()
  await expect(page.locator('main li').filter({ hasText: TOP_UP.fields.user_id })).toHaveCount(1)
  await shopper.examine()
}

async function addToCart({ page, t }: Shopper): Promise<void> {
  await page
    .getByRole('button', { name: t('product.addToCart'), exact: true })
    .locator('visible=true')
    .first()
    .click()
}

async function signInFromCart(shopper: Shopper): Promise<void> {
  const { page, t, at } = shopper
  await page
    .getByRole('link', { name: t('shop-cart.pay'), exact: true })
    .locator('visible=true')
    .click()
  await expect(page).toHaveURL(new RegExp(`${at('/login')}\\?redirect=`))
  await shopper.fill(t('sign-in.account'), shopper.email)
  await shopper.fill(t('form.password'), shopper.password)
  await shopper.press(t('sign-in.submit'))
  await expect(page).toHaveURL(at('/shop-cart'))
  await expectSignedIn(shopper)
  await expect(page.locator('main input[name=select]')).toHaveCount(2)
  await expect(page.locator('main')).toContainText(TOP_UP.fields.zone_id)
  await shopper.examine()
}

async function choosePayment(shopper: Shopper): Promise<Placed> {
  const { page, t, at } = shopper
  await page
    .getByRole('button', { name: t('shop-cart.pay'), exact: true })
    .locator('visible=true')
    .click()
  await expect(page).toHaveURL(new RegExp(`${at('/order/cashier')}\\?order=`))
  const order = new URL(page.url()).searchParams.get('order') ?? ''
  await expect(page.locator('main')).toContainText(TOP_UP.fields.user_id)
  // Each way to pay says what it adds before it is chosen: nothing, as no owner of this shop has set a fee.
  for (const method of ['card', 'wallet', 'bank']) {
    await expect(page.locator(`label:has(input[name=method][value=${method}])`)).toContainText(
      t('cashier.noFee'),
    )
  }
  await shopper.examine()
  await pressPay(shopper)
  const agree = page.locator('input[name=agree]')
  await expect(agree).toBeFocused()
  await expect(agree).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('alert').filter({ hasText: t('cashier.agreeNeeded') })).toBeVisible()
  await agree.check()
  await expect(agree).not.toHaveAttribute('aria-invalid', 'true')
  await page.locator('label:has(input[name=method][value=card])').click()
  await pressPay(shopper)
  await expect(page).toHaveURL(/\/sandbox\/payment\//)
  return { order, number: (await page.locator('p.quiet bdi').textContent()) ?? '' }
}

async function payAtSandbox(shopper: Shopper): Promise<void> {
  const { page, t } = shopper
  await decideAtSandbox(shopper, 'challenge')
  const code = (await page.locator('.code').textContent()) ?? ''
  await shopper.examine()
  await page.getByLabel(t('sandbox.code')).fill(code)
  await shopper.press(t('form.proveSubmit'))
}

async function reveal(
  shopper: Shopper,
  { order }: Placed,
  answers: ReturnType<typeof recordAnswers>,
): Promise<string> {
  const { page, t, at } = shopper
  await shopper.open(`/order/detail?order=${order}`)
  await expect(page.locator('main')).toContainText(TOP_UP.fields.user_id)
  await shopper.examine()
  await page
    .locator('main')
    .getByRole('link', { name: t('cardpwd.reveal') })
    .click()
  const password = page.locator('#password')
  await password.fill('not-the-password')
  await shopper.press(t('cardpwd.revealCode'))
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await password.fill(shopper.password)
  await shopper.press(t('cardpwd.revealCode'))
  const shown = page.locator('dd bdi.mono').first()
  await expect(shown).toBeVisible()
  const code = (await shown.textContent()) ?? ''
  expect(code.length).toBeGreaterThan(8)
  await shopper.examine()
  // It was said in one answer, and is in none of the pages that can be asked for.
  const heard = (await answers())
    .filter(({ text }) => text.includes(code))
    .map(({ url }) => new URL(url).pathname)
  expect(heard).toEqual(['/api/cardpwd/reveal'])
  for (const path of [
    `/order/detail?order=${order}`,
    '/user/cardpwd',
    '/user/order',
    '/user/account',
  ]) {
    expect((await (await page.request.get(at(path))).text()).includes(code), path).toBe(false)
  }
  return code
}

async function useKey(shopper: Shopper, code: string): Promise<void> {
  const { page, t } = shopper
  await page
    .getByRole('button', { name: t('cardpwd.copy'), exact: true })
    .first()
    .click()
  await expect(page.getByRole('button', { name: t('cardpwd.copied'), exact: true })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  await shopper.press(t('cardpwd.markUsed'))
  await expect(
    page.getByRole('button', { name: t('cardpwd.markUnused'), exact: true }),
  ).toBeVisible()
  await shopper.press(t('cardpwd.hide'))
  await expect(page.getByText(code)).toHaveCount(0)
  await page.reload()
  await expect(page.getByText(t('cardpwd.state.used'), { exact: true })).toBeVisible()
  expect(await page.content()).not.toContain(code)
}

async function beCredited(shopper: Shopper, placed: Placed): Promise<void> {
  expect(await credited(placed.number)).toEqual(TOP_UP.fields)
  const { page, t } = shopper
  await shopper.open(`/order/detail?order=${placed.order}`)
  await expect(
    page.locator('main').getByText(t('order.status.completed'), { exact: true }),
  ).toBeVisible()
}

async function fetchReceipt({ page, t, language }: Shopper, { number }: Placed): Promise<void> {
  const begun = page.waitForEvent('download')
  await page.getByRole('link', { name: t('order.receiptLink') }).click()
  const told = readPdfText(readFileSync(await (await begun).path()))
  expect(told).toMatchObject({
    language: getLanguage(language).tag,
    title: t('order.receipt.title', { number }),
  })
  expect(told.actual).toContain(t('order.receipt.note'))
}

async function review({ page, t }: Shopper, count: number): Promise<void> {
  const form = page.locator('form:has(input[name=rating])')
  // One form for everything, folded until somebody opens it.
  await expect(form).toHaveCount(1)
  await expect(form).toBeHidden()
  await page.locator('details:has(input[name=rating]) > summary').click()
  await expect(form.locator('option')).toHaveCount(count === 1 ? 0 : count)
  await form.locator('label:has(input[name=rating][value="5"])').click()
  await form.getByRole('textbox').fill('Here within seconds.')
  await form.getByRole('button').click()
  await expect(page.getByText(t('order.reviewThanks')).first()).toBeVisible()
  await expect(form).toHaveCount(count === 1 ? 0 : 1)
}

type Kind = 'order_paid_by_hand' | 'order_credited'

async function readNews(
  shopper: Shopper,
  { number }: Placed,
  code: string,
  kinds: readonly Kind[],
): Promise<void> {
  const { page, t, mailbox, at } = shopper
  for (const kind of kinds) {
    const mail = await mailbox.take(t(`mail.${kind}.subject`, { order: number }))
    expect(mail.links.map((link) => new URL(link).pathname)).toContain(at('/order/detail'))
    expect(`${mail.text} ${mail.html}`).not.toContain(code)
  }
  await page.goto(`/sandbox/mail?to=${encodeURIComponent(shopper.email)}`)
  await expect(page.locator('.mails')).toContainText(number)
  expect(await page.content()).not.toContain(code)
  await shopper.open('/user/notice')
  for (const kind of kinds)
    await expect(
      page.getByRole('heading', { name: t(`notice.${kind}.title`, { number }) }),
    ).toBeVisible()
  expect(await page.content()).not.toContain(code)
}
