import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { getLanguage, LANGUAGES, type LanguageCode } from '../../../src/kernel/language.ts'
import { translatorOf, type Translate } from '../../../src/platform/i18n/messages.ts'
import { bringToLife, expect, expectAccessible, expectNoOverflow } from '../page-checks.ts'
import { openMailbox, type Mailbox } from '../mailbox.ts'

/** Somebody in front of a browser, in one language, with a mailbox of their own. */
export interface Shopper {
  readonly page: Page
  readonly language: LanguageCode
  readonly t: Translate
  readonly email: string
  readonly userName: string
  readonly password: string
  readonly mailbox: Mailbox
  /** The address of a path in the language. */
  readonly at: (path: string) => string
  /** Opens a page and brings it to life. */
  readonly open: (path: string) => Promise<void>
  readonly fill: (label: string, text: string) => Promise<void>
  readonly press: (name: string) => Promise<void>
  /** The state of the page is one that everybody can use; looked at where `isExamined`, because it takes a while. */
  readonly examine: () => Promise<void>
}

export interface ShopperOptions {
  readonly language?: LanguageCode
  readonly isExamined?: boolean
}

/** Somebody nobody has seen before. */
export function newShopper(
  page: Page,
  shopUrl: string,
  { language = 'en', isExamined = false }: ShopperOptions = {},
): Shopper {
  const name = randomName()
  const prefix = LANGUAGES.find(({ code }) => code === language)?.prefix ?? ''
  const email = `${name}@shopper.example`
  const at = (path: string) => (path === '/' ? prefix || '/' : `${prefix}${path}`)
  return {
    email,
    language,
    at,
    t: translatorOf(language),
    userName: name,
    password: newPassword(),
    mailbox: openMailbox(shopUrl, email),
    ...hands(page, at, isExamined),
  }
}

/** The same person in front of another browser. */
export function atAnotherBrowser(shopper: Shopper, page: Page): Shopper {
  return { ...shopper, ...hands(page, shopper.at, false) }
}

function hands(
  page: Page,
  at: Shopper['at'],
  isExamined: boolean,
): Pick<Shopper, 'page' | 'open' | 'fill' | 'press' | 'examine'> {
  return {
    page,
    async open(path) {
      await page.goto(at(path))
      await bringToLife(page)
    },
    fill: (label, text) => page.getByLabel(label, { exact: true }).fill(text),
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    async examine() {
      if (!isExamined) return
      await expectNoOverflow(page)
      await expectAccessible(page)
    },
  }
}

export function randomName(): string {
  return `pat${BigInt(`0x${randomBytes(6).toString('hex')}`).toString(36)}`
}

export function newPassword(): string {
  return `Zq7${BigInt(`0x${randomBytes(7).toString('hex')}`).toString(36)}`
}

/** Registers over the wire, for journeys that begin signed in; the cookie is the browser's. */
export async function registerOverWire(shopper: Shopper): Promise<void> {
  const { email, userName, password, mailbox } = shopper
  expect(await post(shopper, 'user/send_code', { type: 'register', account: email })).toMatchObject(
    { code: 1 },
  )
  const code = await mailbox.takeCode()
  expect(
    await post(shopper, 'user/register', {
      type: 'email',
      email,
      code,
      username: userName,
      password,
    }),
  ).toMatchObject({ code: 1 })
}

export async function signInOverWire(shopper: Shopper): Promise<void> {
  expect(
    await post(shopper, 'user/login', { account: shopper.email, password: shopper.password }),
  ).toMatchObject({ code: 1 })
}

/** The envelope of a call made with the browser's cookies. */
export async function post(
  { page, language }: Shopper,
  path: string,
  body: object,
): Promise<{ code: number; data: unknown }> {
  const answer = await page.context().request.post(`/api/${path}?lang=${language}`, { data: body })
  return (await answer.json()) as { code: number; data: unknown }
}

/** At the demo's sign-in service, which speaks the shopper's language: somebody who is not on its list. */
export async function beSomebodyAtDemoId(
  { page, t, language, press, examine }: Shopper,
  email: string,
): Promise<void> {
  await expect(page).toHaveURL(/\/sandbox\/identity\//)
  await expect(page.locator('html')).toHaveAttribute('lang', getLanguage(language).tag)
  await examine()
  await page.getByRole('radio', { name: t('sandbox.other') }).check()
  await page.getByLabel(t('sign-in.email'), { exact: true }).fill(email)
  await page.getByLabel(t('account.nickname'), { exact: true }).fill('Kim Demo')
  await page.getByRole('checkbox', { name: t('sandbox.verified') }).check()
  await press(t('sandbox.continue'))
}

/** The face in the header that opens the menu of who is signed in. */
export function accountButton({ page }: Shopper, nickname: string) {
  return page.locator('header summary').filter({ hasText: nickname })
}

/** Pages kept for everybody learn who is there once they are alive. */
export async function expectSignedIn(shopper: Shopper): Promise<void> {
  await bringToLife(shopper.page)
  await expect(accountButton(shopper, shopper.userName)).toBeVisible()
}

export async function expectVisitor({ page, t }: Shopper): Promise<void> {
  await expect(
    page.locator('header').getByRole('link', { name: t('shell.signIn'), exact: true }),
  ).toBeVisible()
}
