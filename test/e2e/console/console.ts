import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { dataDirectory, sql } from '../buying/operator.ts'
import { expect, expectAccessible, expectNoOverflow } from '../page-checks.ts'

interface DemoPeople {
  readonly operator: { readonly name: string; readonly password: string }
}

/** The demo's owner, who needs no second factor. */
export function demoOperator(): DemoPeople['operator'] {
  const file = join(dataDirectory ?? '', 'demo.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as DemoPeople).operator
}

/** Types the demo owner's name and password where the console asks for them. */
export async function fillSignIn(page: Page, { name, password } = demoOperator()): Promise<void> {
  await page.locator('input[name=account]').fill(name)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form:has(input[name=password]) button[type=submit]').click()
}

/** What is typed or pressed from here on is heard. */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
}

/** Opens a page of the console, by default as the demo's owner. @param path below /console */
export async function openConsole(page: Page, path = '', person = demoOperator()): Promise<void> {
  await page.goto(`/console${path}`)
  await fillSignIn(page, person)
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
  // The address changes before its page is there.
  await page.locator('.con-top').waitFor()
  await page.locator('#main h1').waitFor()
  await alive(page)
  await endSessionWith(page)
}

/** A browser that is closed leaves no session: the owner has so many, and what other journeys begin would end the oldest. */
async function endSessionWith(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  const token = cookies.find(({ name }) => name.endsWith('operator'))?.value ?? ''
  const hash = createHash('sha256').update(token).digest()
  page.context().once('close', () => {
    void sql('delete from operator_session where token_hash = $1', [hash]).catch(() => {})
  })
}

/** The console as somebody sees it, in a browser of their own. */
export async function consoleOf(
  browser: Browser,
  baseURL: string | undefined,
  path: string,
  person = demoOperator(),
): Promise<Page> {
  const context = await browser.newContext({
    ...(baseURL === undefined ? {} : { baseURL }),
    locale: 'en-US',
  })
  const page = await context.newPage()
  await openConsole(page, path, person)
  return page
}

let serial = 0

/** Somebody else of the team, for days, with the demo owner's password. */
export async function colleague(role: string): Promise<ReturnType<typeof demoOperator>> {
  const owner = demoOperator()
  const name = `${role}-${(serial += 1)}-${process.pid}`
  await sql(
    `insert into operator (id, name, role, password_hash, created_at, updated_at, created_by, password_set_by, password_set_at)
      select uuidv7(), $1, $2, password_hash, now() - interval '3 days', now(), 'operator:demo', $3, now() - interval '3 days' from operator where name = $4`,
    [name, role, `operator:${name}`, owner.name],
  )
  return { name, password: owner.password }
}

/** Somebody of the team who may do this and nothing else: what other journeys need a second person for, they cannot approve. */
export async function colleagueWho(
  role: string,
  permissions: readonly string[],
): Promise<ReturnType<typeof demoOperator>> {
  await sql(
    `insert into operator_role (code, is_own, name, permissions) values ($1, true, $1, $2) on conflict do nothing`,
    [role, [...permissions]],
  )
  return colleague(role)
}

/** Answers the question whether it is still the same person: in a demo the password is the proof, for ten minutes. */
export async function prove(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm it is you' })
  await question.getByLabel('Password').fill(demoOperator().password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toHaveCount(0)
}

/** A page as it stands is accessible, and fits the screen. */
export async function examined(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoOverflow(page)
}

/** An order's number by fours, as the console shows it. */
export const grouped = (number: string) => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
