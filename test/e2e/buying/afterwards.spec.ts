import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { bringToLife, expect, test } from '../page-checks.ts'
import { cli, dataDirectory, NO_OPERATOR, sql, workNow } from './operator.ts'
import {
  buyOverWire,
  CARD,
  cards,
  newBuyer,
  orderOverWire,
  payOverWire,
  statusOf,
} from './purchase.ts'
import { post } from '../people/shopper.ts'

test('a code given back is told in the order, the account and a mail', async ({
  page,
  baseURL,
  isMobile,
}) => {
  test.skip(dataDirectory === undefined, NO_OPERATOR)
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  const { t, mailbox } = shopper
  const placed = await buyOverWire(shopper, cards(2))
  const detail = (await (
    await page.request.get(`/api/order/detail?order=${placed.order}`)
  ).json()) as { data: { lines: { units: { id: string }[] }[] } }
  await cli(
    'refund',
    placed.number,
    '--units',
    detail.data.lines[0]?.units[0]?.id ?? '',
    '--reason',
    'goodwill',
  )
  await workNow('refunds')
  await expect
    .poll(
      async () =>
        (await (await page.request.get(`/api/order/detail?order=${placed.order}`)).text()).includes(
          '"refunded"',
        ),
      { timeout: 60_000 },
    )
    .toBe(true)
  await workNow('tell_buyers')
  const mail = await mailbox.take(t('mail.order_refunded.subject', { order: placed.number }))
  await shopper.open(`/order/detail?order=${placed.order}`)
  await expect(page.getByText(t('order.refundedSum'), { exact: true }).first()).toBeVisible()
  await expect(
    page.getByRole('complementary').getByText(t('order.payment.partly_refunded')),
  ).toBeVisible()
  await shopper.examine()
  await shopper.open('/user/account')
  const transactions = page.locator('#transactions')
  await expect(transactions).toContainText(
    t('user.transaction.refundOf', { number: placed.number }),
  )
  await expect(transactions).toContainText(
    t('user.transaction.paymentOf', { number: placed.number }),
  )
  await shopper.examine()
  const amount = /\+(\S*\d[\d.,]*)/.exec((await transactions.textContent()) ?? '')?.[1] ?? '?'
  expect(mail.text).toContain(amount.replace(/[^\d.]/g, ''))
})

test('an order is checked by its number and address, and by nothing less', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  const { t } = shopper
  const placed = await buyOverWire(shopper, cards())
  await page.context().clearCookies({ name: /^(?:sid|signed_in)$/ })
  await shopper.open('/check')
  const check = async (number: string, email: string) => {
    await page.locator('#order_no').fill(number)
    await page.locator('#email').fill(email)
    await shopper.press(t('order.checkSend'))
  }
  for (const [number, email] of [
    [placed.number, 'somebody@else.example'],
    ['1234567890123', shopper.email],
  ] as const) {
    await check(number, email)
    await expect(page.locator('#order_no')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText(t('error.field.order_unknown'))).toBeVisible()
    await page.reload()
  }
  await check(`${placed.number.slice(0, 4)} ${placed.number.slice(4)}`, shopper.email.toUpperCase())
  const found = page.getByRole('status').filter({ hasText: placed.number })
  await expect(found).toContainText(t('order.status.completed'))
  // How far it is, and not what it is.
  await expect(page.locator('main')).not.toContainText('Steam')
  await shopper.examine()
})

test('money is asked back for with a picture, and the request is taken back', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  const { t, at } = shopper
  const placed = await buyOverWire(shopper, cards(2))
  await shopper.open(`/order/detail?order=${placed.order}`)
  await page.getByRole('link', { name: t('order.problem') }).click()
  await expect(page).toHaveURL(/do=problem/)
  await shopper.examine()
  await shopper.press(t('order.problemSend'))
  await expect(page.locator('#reason')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('#reason').selectOption('code_used')
  await page.locator('#text').fill('The site says that it was used in May.')
  await page.locator('input[name=units]').last().check()
  await page
    .locator('#image')
    .setInputFiles({ name: 'proof.png', mimeType: 'image/png', buffer: await picture() })
  await page.getByRole('radio', { name: t('order.toCredit') }).check()
  await shopper.press(t('order.problemSend'))
  await expect(page).toHaveURL(at(`/order/detail?order=${placed.order}`))
  await expect(page.getByText(t('order.status.processing'), { exact: true })).toBeVisible()
  await shopper.examine()
  if (dataDirectory !== undefined) {
    const [found] = await sql(
      `select reason, destination, picture is not null as pictured from service_case c join shop_order o on o.id = c.order_id where o.public_id = $1`,
      [placed.order],
    )
    expect(found).toEqual({ reason: 'code_used', destination: 'store_credit', pictured: true })
  }
  await shopper.press(t('order.withdraw'))
  await expect(page.getByText(t('order.status.completed'), { exact: true })).toBeVisible()
})

test('a code that does not work is reported, and all codes come in a file', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const shopper = await newBuyer(page, baseURL ?? '', {
    language: isMobile ? 'ar' : 'en',
    isExamined: true,
  })
  const { t } = shopper
  await buyOverWire(shopper, cards(2))
  await shopper.open('/user/cardpwd')
  await shopper.examine()
  // Signed in a moment ago: one press is enough.
  await page
    .getByRole('button', { name: t('cardpwd.reveal') })
    .first()
    .click()
  const code = (await page.locator('dd bdi.mono').first().textContent()) ?? ''
  expect(code.length).toBeGreaterThan(8)
  await page
    .getByRole('link', { name: t('cardpwd.report') })
    .first()
    .click()
  await expect(page.locator('textarea')).toBeVisible()
  // Before that the browser itself says what is missing, in a bubble.
  await bringToLife(page)
  await shopper.press(t('cardpwd.reportSend'))
  await expect(page.locator('textarea')).toHaveAttribute('aria-invalid', 'true')
  await page.locator('textarea').fill('It says that there is no such code.')
  await shopper.press(t('cardpwd.reportSend'))
  await expect(page.getByText(t('cardpwd.reportDone'))).toBeVisible()

  await shopper.open('/user/cardpwd')
  await page.getByRole('link', { name: t('cardpwd.export') }).click()
  const begun = page.waitForEvent('download')
  await shopper.press(t('cardpwd.exportGet'))
  const download = await begun
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
  const text = readFileSync(await download.path(), 'utf8')
  expect(text).toContain(code)
  expect(text.trim().split('\r\n')).toHaveLength(3)
})

test('what others have bought meanwhile is sold out, in the cart, on its page and at the cashier', async ({
  page,
  browser,
  baseURL,
  isMobile,
}) => {
  test.skip(dataDirectory === undefined, NO_OPERATOR)
  test.skip(isMobile, 'the same for every screen, and its goods are gone afterwards')
  const [item, quantity] = ['card:steam:us:100', 2]
  // The demo would fill the shelf again, but for what its catalogue says is sold out; a filling under way is waited for.
  await sql('update item set stock = 0 where code = $1', [item])
  await expect
    .poll(() => sql(`select from sweep where name = 'restock_demo' and leased_until > now()`), {
      timeout: 100_000,
    })
    .toEqual([])
  await sql(
    `
    update card_key set status = 'void'
    where id in (select k.id from card_key k join item i on i.id = k.item where i.code = $1 and k.status = 'free' offset $2)`,
    [item, quantity],
  )
  const slow = await newBuyer(page, baseURL ?? '')
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const quick = await newBuyer(await context.newPage(), baseURL ?? '')
  expect(await post(slow, 'cart/add', { item, quantity, fields: {} })).toMatchObject({ code: 1 })
  const waiting = await orderOverWire(slow, { item, quantity })
  const bought = await orderOverWire(quick, { item, quantity })
  await payOverWire(quick, bought)
  await expect.poll(() => statusOf(quick, bought), { timeout: 60_000 }).toBe('completed')
  const { t } = slow
  await slow.open(`/order/cashier?order=${waiting.order}`)
  await page.locator('input[name=agree]').check()
  await page.locator('main button[type=submit]:visible').last().click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: t('cashier.lineShort') })
      .first(),
  ).toBeVisible()
  await expect
    .poll(
      async () => {
        await page.goto('/shop-cart')
        return page.locator('main').textContent()
      },
      { timeout: 60_000 },
    )
    .toContain(t('goods.soldOut'))
  await expect(
    page.getByRole('button', { name: t('shop-cart.pay') }).locator('visible=true'),
  ).toBeDisabled()
  await context.close()
})

test('a price that has changed is said in the cart before it is paid', async ({
  page,
  baseURL,
  isMobile,
}) => {
  test.skip(dataDirectory === undefined, NO_OPERATOR)
  test.skip(isMobile, 'the same for every screen')
  const item = 'card:steam:us:50'
  const shopper = await newBuyer(page, baseURL ?? '')
  const { t } = shopper
  expect(await post(shopper, 'cart/add', { item, quantity: 1, fields: {} })).toMatchObject({
    code: 1,
  })
  await sql('update item set price_minor = price_minor + 100 where code = $1', [item])
  try {
    await expect
      .poll(
        async () => {
          await page.goto('/shop-cart')
          return page.locator('main').textContent()
        },
        { timeout: 60_000 },
      )
      .toContain(t('shop-cart.priceChanged'))
    await expect(
      page.getByText(t('shop-cart.was', { price: '#' }).split('#')[0] ?? ''),
    ).toBeVisible()
    await shopper.open('/shop-cart')
    await page
      .getByRole('button', { name: t('shop-cart.pay') })
      .locator('visible=true')
      .click()
    await expect(page).toHaveURL(/\/order\/cashier/)
  } finally {
    await sql('update item set price_minor = price_minor - 100 where code = $1', [item])
  }
})

test('orders and keys of others are not found', async ({
  page,
  browser,
  baseURL,
  isMobile,
  misdeeds,
}) => {
  test.skip(isMobile, 'the same for every screen')
  const owner = await newBuyer(page, baseURL ?? '')
  const placed = await buyOverWire(owner, cards())
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const other = await newBuyer(await context.newPage(), baseURL ?? '')
  for (const path of [
    `/order/cashier?order=${placed.order}`,
    `/order/pay?order=${placed.order}`,
    `/order/detail?order=${placed.order}`,
    `/api/order/receipt?order=${placed.order}`,
    `/api/order/detail?order=${placed.order}`,
  ]) {
    expect([path, (await other.page.request.get(path)).status()]).toEqual([path, 404])
  }
  expect((await owner.page.request.get(`/order/detail?order=${placed.order}`)).status()).toBe(200)
  expect(
    await (await owner.page.request.get(`/order/detail?order=${placed.order}`)).text(),
  ).toContain(CARD.product)
  await context.close()
  misdeeds.consoleErrors.splice(0)
})

const picture = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer()
