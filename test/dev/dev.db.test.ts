import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect } from 'vitest'
import { freePort } from '#platform/free-port.ts'
import { useDatabase } from '../support/database.ts'
import { longRunTest as test } from '../support/long.ts'
import { makeScratchCopy, type ScratchCopy } from '../support/scratch-copy.ts'

const database = useDatabase()
let copy: ScratchCopy
let data = ''
let shop = ''
let dev: ChildProcess

beforeAll(async () => {
  copy = makeScratchCopy()
  data = mkdtempSync(join(tmpdir(), 'lukado-dev-'))
  const port = await freePort()
  shop = `http://127.0.0.1:${port}`
  dev = spawn(process.execPath, [join(copy.root, 'scripts', 'dev.ts')], {
    cwd: copy.root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      DATA_DIR: data,
      PORT: String(port),
      PUBLIC_URL: shop,
      DEMO: '1',
      LOG_LEVEL: 'error',
    },
  })
  await saidReady(dev)
})

afterAll(async () => {
  if (dev.exitCode === null) {
    dev.kill('SIGTERM')
    await once(dev, 'exit')
  }
  copy.remove()
  rmSync(data, { recursive: true, force: true })
})

async function saidReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('no output')
  for await (const line of createInterface(stdout)) if (line.startsWith('Ready: ')) return
  throw new Error('the development server ended before it was ready')
}

async function page(path: string): Promise<string> {
  return (await fetch(shop + path)).text()
}

/** Asks again until the answer holds the text: how often is bounded, how long a busy machine takes is not. */
async function seen(path: string, text: string): Promise<boolean> {
  for (let look = 0; look < 4_000; look += 1) {
    if ((await page(path)).includes(text)) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}

test('an empty folder becomes a shop with goods', async () => {
  expect(await seen('/cards', 'href="/cards/')).toBe(true)
})

test('the edited markup of a page is in its next answer', async () => {
  copy.edit(
    'src/storefront/later/page.tsx',
    'className={`wrap ${css.page}`}',
    'className={`wrap ${css.page}`} data-edit="markup"',
  )
  expect(await seen('/feedback', 'data-edit="markup"')).toBe(true)
  // And so is the very next edit: none is served one change late.
  copy.edit('src/storefront/later/page.tsx', 'data-edit="markup"', 'data-edit="again"')
  expect(await seen('/feedback', 'data-edit="again"')).toBe(true)
})

test('an edited module of the server acts at once', async () => {
  copy.edit(
    'src/storefront/server/document.ts',
    '<div id="root">',
    '<div id="root" data-edit="module">',
  )
  expect(await seen('/feedback', 'data-edit="module"')).toBe(true)
})

test('an edited text is in the next answer', async () => {
  const file = 'locales/en/title.json'
  copy.write(
    file,
    JSON.stringify({
      ...(JSON.parse(copy.read(file)) as Record<string, string>),
      'title.cards': 'Cards, edited',
    }),
  )
  expect(await seen('/cards', 'Cards, edited')).toBe(true)
})

test('an edited style is in the stylesheet that the page links', async () => {
  const [href = ''] = /\/src\/ui\/button\.module\.css\?direct/.exec(await page('/cards')) ?? []
  copy.write(
    'src/ui/button.module.css',
    `${copy.read('src/ui/button.module.css')}\n.edited { order: 77 }\n`,
  )
  expect(await seen(href, 'order: 77')).toBe(true)
})

test('what cannot be loaded leaves the shop of before, and its mending is seen', async () => {
  const file = 'src/storefront/server/document.ts'
  const whole = copy.read(file)
  copy.write(file, `${whole}\nexport const (`)
  expect(await seen('/feedback', 'data-edit="module"')).toBe(true)
  copy.write(file, whole.replace('data-edit="module"', 'data-edit="mended"'))
  expect(await seen('/feedback', 'data-edit="mended"')).toBe(true)
})
