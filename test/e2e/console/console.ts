import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { dataDirectory } from '../buying/operator.ts'

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

/** Opens a page of the console as the demo's owner. @param path below /console */
export async function openConsole(page: Page, path = ''): Promise<void> {
  await page.goto(`/console${path}`)
  await fillSignIn(page)
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
  // The address changes before its page is there.
  await page.locator('.con-top').waitFor()
  await page.locator('#main h1').waitFor()
  // What is typed or pressed from here on is heard.
  await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined)
}
