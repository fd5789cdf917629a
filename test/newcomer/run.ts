/**
 * What somebody meets who has never seen the program, as a command, since it builds and starts a shop (about a minute):
 * `npm run test:newcomer`. A checkout whose path holds a space and an umlaut is built and serves; a catalogue is
 * imported before the first start; pictures of one's own are shown; folders that do for no data are refused in a sentence.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { freePort } from '#platform/free-port.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { smallCatalogue } from '../support/catalogue-folder.ts'
import { removeDataFolder } from '../support/data-folder.ts'

const PASSWORD = 'correct horse battery'
const COMMAND_MS = 120_000
const READY_MS = 240_000
const LEFT_OUT = new Set(['.git', 'build', 'data', 'node_modules'])

const root = mkdtempSync(join(tmpdir(), 'lükado mit Leerzeichen '))
const checkout = join(root, 'der Laden')
const shopFolder = join(root, 'seine Daten')
const faults: string[] = []
let environment: NodeJS.ProcessEnv = {}

function expectThat(what: string, isSo: boolean, seen: unknown): void {
  process.stdout.write(`${isSo ? 'ok   ' : 'wrong'}  ${what}\n`)
  if (!isSo) faults.push(`${what}: ${String(seen).slice(0, 500)}`)
}

function cli(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/run.js', ...args], {
    cwd: checkout,
    env: { ...environment, ...more },
    encoding: 'utf8',
    timeout: COMMAND_MS,
  })
  return { code: status, said: `${stdout}${stderr}` }
}

function copyCheckout(): void {
  cpSync(PROJECT_ROOT, checkout, {
    recursive: true,
    filter: (source) =>
      dirname(source) !== PROJECT_ROOT || !LEFT_OUT.has(source.slice(PROJECT_ROOT.length + 1)),
  })
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(checkout, 'node_modules'))
}

/** The small catalogue with a picture of its own at a brand. */
function writeCatalogue(): string {
  const folder = join(root, 'der Katalog')
  for (const [file, document] of Object.entries(smallCatalogue())) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    const text = JSON.stringify(document)
    writeFileSync(
      join(folder, file),
      text
        .replace(
          /"picture":\{"cover":\{"name":"Vapour[^}]*\}\}/,
          '"picture":{"file":"own/vapour.png"}',
        )
        .replace('"picture":{"cover":{"tag":"USD"}},', ''),
    )
  }
  return folder
}

async function placePicture(): Promise<void> {
  mkdirSync(join(shopFolder, 'pictures', 'own'), { recursive: true })
  await sharp({ create: { width: 400, height: 300, channels: 3, background: '#ff0000' } })
    .png()
    .toFile(join(shopFolder, 'pictures', 'own', 'vapour.png'))
}

async function waitReady(origin: string, shop: ChildProcess): Promise<boolean> {
  for (const until = performance.now() + READY_MS; performance.now() < until; await sleep(200)) {
    if (shop.exitCode !== null) return false
    const answer = await fetch(`${origin}/readyz`).catch(() => null)
    if (answer?.status === 200) return true
  }
  return false
}

/** Red all over, as it was made. */
async function isOwnPicture(origin: string): Promise<boolean> {
  const page = await (await fetch(`${origin}/cards`)).text()
  const address = /\/img\/[^"' ]*vapour[^"' ]*/.exec(page)?.[0].replaceAll('&amp;', '&')
  if (address === undefined) return false
  for (const until = performance.now() + COMMAND_MS; performance.now() < until; await sleep(300)) {
    const answer = await fetch(`${origin}${address}`, { headers: { accept: 'image/png' } })
    if (answer.status !== 200) continue
    const { channels } = await sharp(Buffer.from(await answer.arrayBuffer())).stats()
    return (channels[0]?.mean ?? 0) > 240 && (channels[1]?.mean ?? 255) < 20
  }
  return false
}

async function look(): Promise<void> {
  copyCheckout()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  environment = {
    ...inheritedEnvironment(),
    DEMO: '0',
    PORT: String(port),
    DATA_DIR: shopFolder,
    OPERATOR_PASSWORD: PASSWORD,
    OPERATOR_NEW_PASSWORD: PASSWORD,
  }
  const file = join(root, 'eine Datei')
  writeFileSync(file, '')
  for (const command of [['start'], ['operator', 'list']])
    for (const place of ['/proc/shop', file, join(file, 'below')]) {
      const { code, said } = cli(command, { DATA_DIR: place })
      const isSentence = /^(?:DATA_DIR|There is no shop in) .*\.\n$/.test(said)
      expectThat(
        `${command.join(' ')} with ${place} as DATA_DIR: a sentence`,
        code === 1 && isSentence,
        said,
      )
    }

  const catalogue = writeCatalogue()
  const early = cli(['import', catalogue])
  expectThat(
    'an import before there is an operator says what to do',
    early.said.includes('operator create'),
    early.said,
  )
  cli(['operator', 'create', 'mara', 'owner'])
  const imported = cli(['import', catalogue, '--as', 'mara'])
  expectThat('a catalogue is imported before the first start', imported.code === 0, imported.said)
  await placePicture()

  const shop = spawn(process.execPath, ['src/run.js', 'start'], {
    cwd: checkout,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    expectThat('a checkout in such a path is built and serves', await waitReady(origin, shop), '')
    expectThat('a picture of its own is shown', await isOwnPicture(origin), '')
  } finally {
    if (shop.exitCode === null) {
      shop.kill('SIGTERM')
      await once(shop, 'exit')
    }
  }
}

try {
  await look()
} finally {
  removeDataFolder(root)
}
if (faults.length > 0) process.stderr.write(`${faults.join('\n')}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
