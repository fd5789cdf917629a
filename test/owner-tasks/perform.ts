import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { openConsole } from '../e2e/console/console.ts'
import { ownerAt, type Counted, type Owner } from './owner.ts'
import type { OwnerTask } from './task.ts'

export interface Result {
  readonly task: OwnerTask
  readonly counted: Counted
  readonly machineSeconds: number
  readonly fault: string | null
}

const NOTHING: Counted = { presses: 0, fields: 0, letters: 0, pages: 0, personSeconds: 0 }
const SCREEN = { width: 1440, height: 900 }

/** Does a task in windows of its own, says how it went, and leaves a picture where it went wrong and OWNER_PICTURES names a folder. */
export async function perform(task: OwnerTask, browser: Browser, shopUrl: string): Promise<Result> {
  const windows = new Set<Awaited<ReturnType<Browser['newContext']>>>()
  const open = async () => {
    const context = await browser.newContext({
      baseURL: shopUrl,
      locale: 'en-US',
      viewport: SCREEN,
    })
    windows.add(context)
    return context.newPage()
  }
  let owner: Owner | null = null
  let began = performance.now()
  let fault: string | null = null
  try {
    await task.perform({
      browser,
      shopUrl,
      mark: Date.now().toString(36).toUpperCase(),
      window: open,
      shopPage: async (path) => (await fetch(`${shopUrl}${path}`)).text(),
      async sitDown() {
        const page = await open()
        await openConsole(page)
        owner = ownerAt(page)
        began = performance.now()
        return owner
      },
    })
  } catch (error) {
    fault = String(error).replaceAll(/\u001b\[\d+m/g, '')
    await picture(owner, task.name)
  }
  const machineSeconds = (performance.now() - began) / 1_000
  for (const window of windows) await window.close()
  const counted = (owner as Owner | null)?.counted() ?? NOTHING
  process.stdout.write(
    `${fault === null ? 'ok   ' : 'FAULT'} ${task.name}: ${counted.presses} presses, ${counted.fields} fields, ${counted.letters} letters, ${counted.pages} pages, ${counted.personSeconds.toFixed(0)} s as a person, ${machineSeconds.toFixed(1)} s of the machine\n`,
  )
  if (fault !== null) process.stdout.write(`      ${fault}\n`)
  return { task, counted, machineSeconds, fault }
}

async function picture(owner: Owner | null, name: string): Promise<void> {
  const folder = process.env.OWNER_PICTURES
  if (folder === undefined || !owner) return
  mkdirSync(folder, { recursive: true })
  await owner.page
    .screenshot({ path: join(folder, `${name}.png`), fullPage: true })
    .catch(() => undefined)
}
