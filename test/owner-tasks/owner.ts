import { expect, type Locator, type Page } from '@playwright/test'
import { demoOperator } from '../e2e/console/console.ts'
import { openPace } from './pace.ts'

/** Whoever runs the shop, at the console: what they press, fill and read is counted. */
export interface Owner {
  readonly page: Page
  /** A button of the page by its name, or of a part of it. */
  readonly press: (name: string | RegExp, within?: Locator) => Promise<void>
  readonly follow: (name: string | RegExp, within?: Locator) => Promise<void>
  /** An entry of the rail. */
  readonly go: (name: string) => Promise<void>
  readonly fill: (field: string | RegExp | Locator, text: string, within?: Locator) => Promise<void>
  /** Puts in what was copied elsewhere. */
  readonly paste: (field: string | Locator, text: string, within?: Locator) => Promise<void>
  readonly choose: (
    field: string | RegExp | Locator,
    option: string | { readonly value: string },
    within?: Locator,
  ) => Promise<void>
  readonly tick: (box: string | RegExp | Locator, within?: Locator) => Promise<void>
  /** Opens what is folded. */
  readonly unfold: (summary: string | RegExp, within?: Locator) => Promise<void>
  readonly upload: (field: string | Locator, file: File, within?: Locator) => Promise<void>
  readonly click: (place: Locator) => Promise<void>
  readonly key: (name: string) => Promise<void>
  /** Ctrl K, some letters, Enter. */
  readonly palette: (text: string) => Promise<void>
  /** Waits for it, and reads it with care. */
  readonly read: (place: Locator, holds?: string | RegExp) => Promise<void>
  /** Waits until it is there: a glance. */
  readonly see: (place: Locator | string | RegExp) => Promise<void>
  /** Says who it is where that is asked. */
  readonly prove: () => Promise<void>
  readonly counted: () => Counted
}

/** A bound on hanging alone: the machine may have other work. */
const PATIENCE_MS = 60_000

export interface File {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

export interface Counted {
  readonly presses: number
  readonly fields: number
  readonly letters: number
  readonly pages: number
  readonly personSeconds: number
}

/** A page whose owner has just sat down, at the console's home. */
export function ownerAt(page: Page): Owner {
  const pace = openPace()
  const count = { presses: 0, fields: 0, letters: 0, pages: 0 }
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) count.pages += 1
  })
  const main = () => page.locator('#main')
  const fieldOf = (field: string | RegExp | Locator, within = main()): Locator =>
    typeof field === 'string'
      ? within.getByLabel(field, { exact: true })
      : field instanceof RegExp
        ? within.getByLabel(field)
        : field
  const named = (role: 'button' | 'link', name: string | RegExp, within = main()) =>
    within.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first()
  const click = async (place: Locator) => {
    count.presses += 1
    pace.point()
    await place.click()
  }
  const into = async (place: Locator) => {
    count.fields += 1
    pace.point()
    await place.click()
    if ((await place.inputValue()) === '') return
    // What stands there is marked and written over.
    pace.type(2)
    await page.keyboard.press('Control+a')
  }
  return {
    page,
    click,
    press: (name, within) => click(named('button', name, within)),
    follow: (name, within) => click(named('link', name, within)),
    go: (name) => click(page.locator('nav.con-nav').getByRole('link', { name }).first()),
    async fill(field, text, within) {
      const place = fieldOf(field, within)
      await into(place)
      count.letters += text.length
      pace.type(text.length)
      await place.fill(text)
    },
    async paste(field, text, within) {
      const place = fieldOf(field, within)
      await into(place)
      pace.type(2)
      await place.fill(text)
    },
    async choose(field, option, within) {
      count.fields += 1
      pace.point()
      pace.point()
      await fieldOf(field, within).selectOption(
        typeof option === 'string' ? { label: option } : option,
      )
    },
    async tick(box, within) {
      const place = fieldOf(box, within)
      count.presses += 1
      pace.point()
      await place.setChecked(!(await place.isChecked()))
    },
    unfold: (summary, within = main()) =>
      click(within.locator('summary').filter({ hasText: summary }).first()),
    async upload(field, file, within) {
      // The button, then the file in the window of the machine, twice.
      count.fields += 1
      pace.point()
      pace.point()
      pace.type(1)
      await fieldOf(field, within).setInputFiles(file)
    },
    async key(name) {
      count.presses += 1
      pace.command(1)
      await page.keyboard.press(name)
    },
    async palette(text) {
      count.presses += 2
      count.fields += 1
      count.letters += text.length
      pace.command(2)
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox').first()).toBeFocused()
      pace.type(text.length)
      await page.keyboard.insertText(text)
      pace.command(1)
      await page.keyboard.press('Enter')
    },
    async read(place, holds = /\S/) {
      await expect(place).toContainText(holds, { timeout: PATIENCE_MS })
      pace.read(((await place.innerText()).match(/\S+/g) ?? []).length)
    },
    async see(place) {
      await expect(
        typeof place === 'string' || place instanceof RegExp
          ? main().getByText(place).first()
          : place,
      ).toBeVisible({ timeout: PATIENCE_MS })
    },
    async prove() {
      const question = page.getByRole('dialog', { name: 'Confirm it is you' })
      const password = question.getByLabel('Password')
      const typed = demoOperator().password
      count.fields += 1
      count.letters += typed.length
      pace.point()
      pace.type(typed.length)
      await password.fill(typed)
      await click(question.getByRole('button', { name: 'Confirm' }))
      await expect(question).toHaveCount(0)
    },
    counted: () => ({ ...count, personSeconds: pace.seconds() }),
  }
}
