import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { LANGUAGES, type LanguageCode } from '../../../src/kernel/language.ts'
import { translatorOf, type Translate } from '../../../src/platform/i18n/messages.ts'
import { openOwnShop, until, type OwnShop } from '../../documentation/own-shop.ts'
import { bringToLife, expect, expectAccessible, expectNoOverflow } from '../page-checks.ts'
import { alive } from './console.ts'

/**
 * An empty shop as the program starts it, from its owner's link to the first sale, in one sitting and in a browser alone. The last line of
 * each says in how many presses and fields.
 */
const PASSWORD = 'correct horse battery'
const CODE = 'ABCD1234EFGH5678'
const SHOPPER = { email: 'ada@example.com', name: 'adalove', password: 'Kelapa7Muda' }
const PICTURES = process.env.GUIDE_PICTURES

/** Whoever sets up the shop: every press and every field is counted. */
interface Owner {
  readonly page: Page
  readonly t: Translate
  readonly shop: OwnShop
  readonly press: (name: string, within?: string) => Promise<void>
  readonly fill: (label: string, text: string) => Promise<void>
  readonly code: () => string
  readonly keepSeed: (seed: string) => void
  readonly count: { presses: number; fields: number }
  readonly picture: (name: string) => Promise<void>
}

function ownerOf(page: Page, shop: OwnShop, language: LanguageCode): Owner {
  const count = { presses: 0, fields: 0 }
  let seed = ''
  let used = 0
  return {
    page,
    shop,
    count,
    t: translatorOf(language),
    async press(name, within = '#main') {
      count.presses += 1
      await page.locator(within).getByRole('button', { name, exact: true }).first().click()
    },
    async fill(label, text) {
      count.fields += 1
      await page.locator('#main').getByLabel(label, { exact: true }).fill(text)
    },
    keepSeed: (given) => (seed = given.replaceAll(' ', '')),
    // Each code is good once.
    code() {
      const period = 30_000
      used = Math.max(used + 1, Math.floor(Date.now() / period))
      return new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: used * period })
    },
    async picture(name) {
      if (PICTURES === undefined || language !== 'en') return
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.screenshot({ path: join(PICTURES, `${name}.png`), scale: 'css' })
    },
  }
}

async function follow({ page, count }: Owner, name: string | RegExp): Promise<void> {
  count.presses += 1
  await page.locator('#main').getByRole('link', { name }).first().click()
}

/** The step that is open is this one, and is a page that everybody can use. */
async function onStep({ page, t }: Owner, step: string): Promise<void> {
  await expect(page.locator('#step-h')).toHaveText(t(`console.guide.step.${step}` as never))
  await alive(page)
  await expectNoOverflow(page)
  await expectAccessible(page)
}

const stateOf = ({ page }: Owner, step: string) => page.locator(`.steps2 a[href$="step=${step}"]`)

async function becomeOwner(owner: Owner, link: string): Promise<void> {
  const { page, t, fill, press } = owner
  await page.goto(link)
  await expect(page.getByLabel(t('console.people.signInName'))).toBeVisible()
  await fill(t('console.people.signInName'), 'mara')
  await fill(t('console.people.email'), 'mara@shop.example')
  await fill(t('console.invitation.password'), PASSWORD)
  await press(t('console.invitation.accept'))
  await press(t('console.signIn.addApp'))
  owner.keepSeed(await page.locator('p.mono').innerText())
  await fill(t('console.signIn.appCode'), owner.code())
  await press(t('console.signIn.turnOn'))
  await press(t('console.signIn.kept'))
}

async function sayWho(owner: Owner): Promise<void> {
  const { page, t, fill, press } = owner
  await fill(t('setting.name.shop.name'), 'Corner Shop')
  await fill(t('setting.name.shop.corporate_name'), 'Corner Shop Ltd')
  await fill(t('setting.name.shop.address'), '12 High Street, Leeds LS1 4AG')
  await fill(t('setting.name.shop.support_email'), 'help@corner.example')
  await press(t('console.settings.save'))
  await expect(
    page.locator('#main form').first().getByText(t('console.settings.saved')),
  ).toBeVisible()
  for (const name of [
    'api.footerSalesTerms',
    'api.footerTerms',
    'api.footerPrivacy',
    'api.footerLegalProvisions',
  ] as const) {
    const text = page
      .locator('details.legal')
      .filter({ has: page.getByRole('form', { name: t(name), includeHidden: true }) })
    owner.count.presses += 3
    owner.count.fields += 1
    await text.locator('summary').click()
    await text.getByRole('button', { name: t('console.guide.legal.sample') }).click()
    const field = text.getByLabel(t('console.guide.legal.text'), { exact: true })
    await field.fill(`${await field.inputValue()}\n\nWritten for Corner Shop Ltd.`)
    await text.getByRole('button', { name: t('console.settings.save') }).click()
    await expect(text.getByText(t('console.settings.saved'))).toBeVisible()
  }
}

async function takeIn(owner: Owner): Promise<void> {
  const { page, t, press } = owner
  await press(t('console.guide.places.take'))
  await expect(stateOf(owner, 'places')).toHaveClass(/done/)
  await follow(owner, t('console.guide.next'))
  await onStep(owner, 'goods')
  await page.getByLabel(t('console.guide.starter.onSale')).check()
  owner.count.presses += 1
  await owner.picture('goods')
  await press(t('console.guide.starter.take'))
  await expect(page.getByText(t('console.guide.goods.done'))).toBeVisible()
  await expect(stateOf(owner, 'goods')).toHaveClass(/done/)
}

async function importCode(owner: Owner): Promise<void> {
  const { page, t, press, fill } = owner
  await follow(owner, new RegExp(`^${t('console.guide.keys.add')}`))
  await expect(page.locator('.back-guide')).toBeVisible()
  await fill(t('console.keys.paste'), CODE)
  await press(t('console.keys.check'))
  await press(t('console.keys.take', { count: 1 }))
  await expect(page.getByText(t('console.keys.taken', { count: 1, skipped: 0 }))).toBeVisible()
  await owner.picture('shelf')
  await follow(owner, t('console.guide.back', { step: 5, all: 8 }))
  await expect(stateOf(owner, 'keys')).toHaveClass(/done/)
}

async function enterPayments(owner: Owner): Promise<void> {
  const { page, t, press, fill, shop } = owner
  await follow(owner, new RegExp(`${t('console.money.settings')}.*stripe`))
  await expect(page.locator('.back-guide')).toBeVisible()
  await fill('STRIPE_SECRET_KEY', shop.stripeSettings['STRIPE_SECRET_KEY'] ?? '')
  await fill('STRIPE_WEBHOOK_SECRETS', shop.stripeSettings['STRIPE_WEBHOOK_SECRETS'] ?? '')
  await press(t('console.service.try'))
  const proof = page.getByRole('dialog')
  await proof.locator('input[name=code]').fill(owner.code())
  await proof.getByRole('button', { name: t('console.proof.confirm') }).click()
  owner.count.fields += 1
  owner.count.presses += 1
  await expect(page.locator('.fx').first()).toContainText(t('console.money.mode.test'))
  await owner.picture('payments')
  await press(t('console.service.save'))
  await expect(page.getByText(t('console.service.saved'))).toBeVisible()
  await follow(owner, t('console.guide.back', { step: 6, all: 8 }))
  await expect(page.getByText(t('console.guide.pay.testMode'))).toBeVisible()
}

/** Somebody registers with a mailed code, buys the item that the guide names, pays, and holds the code. */
async function buy(page: Page, shop: OwnShop, language: LanguageCode, path: string): Promise<void> {
  const t = translatorOf(language)
  const prefix = LANGUAGES.find(({ code }) => code === language)?.prefix ?? ''
  await page.context().addCookies([{ name: 'consent', value: 'refuse', url: shop.origin }])
  await page.goto(`${shop.origin}${prefix}/register`)
  await bringToLife(page)
  await page.getByLabel(t('sign-in.email'), { exact: true }).fill(SHOPPER.email)
  await page.getByRole('button', { name: t('form.sendCode'), exact: true }).click()
  const mail = await shop.mailTo(SHOPPER.email, /./)
  await page
    .getByLabel(t('form.codeFromEmail'), { exact: true })
    .fill(/^\d{6}$/m.exec(mail.text ?? '')?.[0] ?? '')
  await page.getByLabel(t('sign-in.userName'), { exact: true }).fill(SHOPPER.name)
  await page.getByLabel(t('form.password'), { exact: true }).fill(SHOPPER.password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: t('sign-in.registerSubmit'), exact: true }).click()
  await expect(page).not.toHaveURL(/register/)
  await page.goto(`${shop.origin}${prefix}${path}`)
  await bringToLife(page)
  await page.locator('label:has(input[name=item]:not([disabled]))').first().click()
  await page
    .getByRole('button', { name: t('product.buyNow'), exact: true })
    .locator('visible=true')
    .click()
  // Whoever is signed in goes to the cashier at once.
  await expect(page).toHaveURL(/\/order\/cashier\?order=/)
  await page.locator('input[name=agree]').check()
  await page.locator('label:has(input[name=method][value=stripe])').click()
  await page.locator('main form:has(input[name=method]) button[type=submit]:visible').last().click()
  await expect(page).toHaveURL(/\/c\/pay\//)
  await page.locator('button[value=pay]').click()
  await expect(page).toHaveURL(/\/order\/detail/)
  // Who has just proved who they are is not asked again.
  await page
    .locator('main')
    .getByRole('button', { name: t('cardpwd.reveal') })
    .first()
    .click()
  await expect(page.locator('dd bdi.mono').first()).toHaveText(CODE)
}

for (const { language, screen } of [
  { language: 'en', screen: '@desktop' },
  { language: 'ar', screen: '@phone' },
] as const) {
  test(`from an empty shop to its first sale in one sitting (${language}) ${screen}`, async ({
    browser,
    isMobile,
    viewport,
  }) => {
    test.skip(isMobile !== (screen === '@phone'), 'made on the other screen')
    const shop = await openOwnShop()
    const looks = { viewport, isMobile, hasTouch: isMobile, locale: language }
    try {
      await shop.start({
        DATA_DIR: join(shop.folder, 'data'),
        PUBLIC_URL: shop.origin,
        SMTP_URL: shop.mail.url,
        STRIPE_API_URL: shop.stripe.origin,
        DEMO: '0',
      })
      const file = join(shop.folder, 'data', 'owner-link')
      await until(async () => (existsSync(file) ? true : null), 'the link of the first owner')
      const link = readFileSync(file, 'utf8').trim()
      const page = await (await browser.newContext(looks)).newPage()
      const owner = ownerOf(page, shop, language)
      const { t, press, fill, count } = owner
      const began = performance.now()

      await becomeOwner(owner, link)
      // An empty shop opens on the guide, at the first step that is not done.
      await onStep(owner, 'identity')
      await expect(stateOf(owner, 'owner')).toHaveClass(/done/)
      await owner.picture('guide')
      await sayWho(owner)
      await expect(stateOf(owner, 'identity')).toHaveClass(/done/)
      await expect(page).toHaveURL(/step=identity/)
      await follow(owner, t('console.guide.next'))
      await onStep(owner, 'places')
      await takeIn(owner)
      await follow(owner, t('console.guide.next'))
      await onStep(owner, 'keys')
      await importCode(owner)
      await follow(owner, t('console.guide.next'))
      await onStep(owner, 'pay')
      await enterPayments(owner)
      await onStep(owner, 'pay')
      await owner.picture('test-payment')
      const shopPath = await page
        .getByRole('link', { name: t('console.guide.look.open') })
        .getAttribute('href')
      await follow(owner, t('console.guide.next'))
      await onStep(owner, 'mail')
      await fill(t('console.setup.letterTo'), 'mara@shop.example')
      await press(t('console.setup.send'))
      await expect(page.getByText(t('console.guide.mail.sent'))).toBeVisible()
      await expect(stateOf(owner, 'mail')).toHaveClass(/done/)
      await owner.picture('mail')

      // Left and taken up again: home says how far it is.
      await press(t('console.guide.leave'))
      await expect(page.getByText(t('console.guide.home', { done: 6, all: 8 }))).toBeVisible()
      await owner.picture('home')
      await follow(owner, t('console.guide.continue'))
      await onStep(owner, 'pay')

      const shopper = await (await browser.newContext(looks)).newPage()
      await buy(shopper, shop, language, shopPath ?? '')

      await page.reload()
      await expect(stateOf(owner, 'pay')).toHaveClass(/done/)
      await onStep(owner, 'pay')
      await expect(page.getByText(t('console.guide.pay.arrived'))).toBeVisible()
      await page.goto(`${shop.origin}/console/guide?step=look`)
      await onStep(owner, 'look')
      await press(t('console.guide.look.good'))
      await expect(page.getByText(t('console.guide.finished'))).toBeVisible()
      const seconds = Math.round((performance.now() - began) / 1_000)
      process.stdout.write(
        `first sale (${language}): ${count.presses} presses, ${count.fields} fields, ${seconds} seconds\n`,
      )
      await press(t('console.guide.finish'))
      await page.locator('.con-top').waitFor()
      await expect(page.locator('#step-h')).toHaveCount(0)
    } finally {
      await shop.close()
    }
  })
}
