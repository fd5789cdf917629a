/**
 * `npm run test:owner`: twenty-three tasks of whoever runs a shop, each from the console's home and through the console alone, counted,
 * and seen where it counts. It builds and starts a demo shop in a folder of its own (about five minutes). Names of tasks run those alone;
 * `--write` writes what was counted into docs/operating/owner-tasks.md. SHOP_URL with SHOP_DATA_DIR names a running demo.
 */
import { chromium } from '@playwright/test'
import startShop from '../e2e/shop.ts'
import { writePage } from './page.ts'

const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const stop = await startShop()
try {
  // Where the shop keeps its data is read as they are loaded.
  const { TASKS } = await import('./tasks/all.ts')
  const { perform } = await import('./perform.ts')
  const unknown = named.filter((name) => !TASKS.some((task) => task.name === name))
  if (unknown.length > 0) throw new Error(`no such task: ${unknown.join(', ')}`)
  const browser = await chromium.launch(
    process.env.CHROME_PATH === undefined ? {} : { executablePath: process.env.CHROME_PATH },
  )
  const results = []
  try {
    for (const task of TASKS) {
      if (named.length > 0 && !named.includes(task.name)) continue
      results.push(await perform(task, browser, process.env.SHOP_URL ?? ''))
    }
  } finally {
    await browser.close()
  }
  const faults = results.filter(({ fault }) => fault !== null).length
  process.stdout.write(`${results.length} tasks, ${faults} faults\n`)
  if (process.argv.includes('--write')) {
    if (faults > 0 || named.length > 0)
      throw new Error('the page is written when all tasks have been done')
    writePage(results)
  }
  process.exitCode = faults > 0 ? 1 : 0
} finally {
  await stop?.()
}
