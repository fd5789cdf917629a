import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createReceiptDrawer } from '#features/buying/receipt/engine/drawer.ts'
import { createPictureMaker } from '#features/goods/picture/pipeline/make.ts'
import { pictureRequest } from '#features/goods/picture/rules.ts'
import { createUploadReader } from '#features/goods/upload/pipeline/upload-reader.ts'
import { keepRunning, type SupervisedProcess } from '#cli/start/keep-running.ts'
import { keepingOf, launchOwn } from '#cli/start/own-processes.ts'
import { present } from '#kernel/assert.ts'
import { isAppError } from '#kernel/error.ts'
import { RELEASE_THEME } from '#features/base/theme/rules.ts'
import { readConfig } from '#platform/config.ts'
import { isGoneWithin } from '#platform/processes.ts'
import { createLogger } from '#platform/log.ts'
import { serveLocally, socketOf } from '#platform/local-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-pictures-'))
const config = readConfig({ DATA_DIR: folder })
const socket = socketOf(folder, 'pictures')
const read = createUploadReader(socket)
const sent = new Map<string, Uint8Array>()
const make = createPictureMaker(socket, async (hash) => sent.get(hash) ?? null)
let kept: SupervisedProcess
let pid = 0
const started: ChildProcess[] = []

beforeAll(() => {
  const launch = () => launchOwn('pictures', config)
  kept = keepRunning({
    name: 'pictures',
    first: launch(),
    launch: async () => launch(),
    log: createLogger({ level: 'error', write: () => {} }),
    onStart: (id) => void (pid = id),
    ...keepingOf('pictures', config),
  })
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await kept.stop()
  rmSync(folder, { recursive: true })
})

const photograph = (width = 640) =>
  sharp({ create: { width, height: 400, channels: 3, background: '#c03050' } })
    .png()
    .toBuffer()

test('a picture that was sent goes along with the call, and is cut as it was chosen', async () => {
  const hash = 'c0'.repeat(32)
  const halves = await sharp({
    create: { width: 400, height: 400, channels: 3, background: '#0000ff' },
  })
    .composite([
      {
        input: await sharp({
          create: { width: 200, height: 400, channels: 3, background: '#ff0000' },
        })
          .png()
          .toBuffer(),
        left: 0,
        top: 0,
      },
    ])
    .webp({ lossless: true })
    .toBuffer()
  sent.set(hash, halves)
  const right = { x: 5_000, y: 0, width: 5_000, height: 5_000 }
  const shown = async (style: 'goods_thumb_1_1' | 'goods_thumb_3_4') =>
    sharp(
      present(
        await make(
          { kind: 'sent', hash, crop: { '1:1': right } },
          pictureRequest(style, 'product/x', { width: 240 }),
          { format: 'png' },
        ),
        'the picture',
      ),
    )
  const square = await shown('goods_thumb_1_1')
  expect(await square.metadata()).toMatchObject({ width: 240, height: 240 })
  expect((await square.stats()).dominant).toMatchObject({ r: 8, b: 248 })
  // Upright nothing was chosen: as much as there is around the middle of the square.
  const { dominant } = await (await shown('goods_thumb_3_4')).stats()
  expect(dominant).toMatchObject({ r: 8, b: 248 })
  expect(
    await make({ kind: 'sent', hash: 'd0'.repeat(32) }, pictureRequest('goods_thumb_1_1', 'x'), {
      format: 'png',
    }),
  ).toBeNull()
})

const draw = async (width: 80 | 240) =>
  present(
    await make(
      { kind: 'flag', country: 'us' },
      pictureRequest('goods_thumb_1_1', 'flag/us', { width }),
      {
        format: 'png',
      },
    ),
    'drawing',
  )
const codeOf = (error: unknown) => (isAppError(error) ? error.code : String(error))

test('receipts are drawn by the process as they are here, in every script', async () => {
  const drawReceipt = createReceiptDrawer(socket, async () => RELEASE_THEME)
  for (const [language, text] of [
    ['en', 'Receipt'],
    ['hi', 'रसीद'],
    ['my', 'ပြေစာ'],
    ['ja', '領収書'],
  ] as const) {
    const pdf = await drawReceipt(
      {
        language,
        title: text,
        shop: 'Shop',
        seller: ['Shop'],
        facts: [],
        buyer: { label: text, lines: [] },
        columns: { goods: text, quantity: text, price: text, total: text },
        lines: [],
        sums: [],
        notes: [],
      },
      new Date(1_700_000_000_000),
    )
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  }
})

test('uploads are read and covers drawn by the process, which this user alone can reach', async () => {
  const { content, width, height } = await read(await photograph(), 'avatar')
  expect([(await sharp(content).metadata()).format, width, height]).toEqual(['webp', 320, 320])
  expect((await sharp(await draw(80)).metadata()).format).toBe('png')
  expect(statSync(socket).mode & 0o777).toBe(0o600)
})

test.each([
  ['upload_format', () => Promise.resolve(Buffer.from('no picture'))],
  ['upload_failed', async () => (await photograph()).subarray(0, 300)],
  ['upload_size', () => Promise.resolve(Buffer.alloc(5 * 1024 * 1024 + 1))],
] as const)('what is no picture is refused as %s', async (code, bytes) => {
  expect(await read(await bytes(), 'avatar').catch(codeOf)).toBe(code)
})

test('a picture that ends the process fails alone: others are read, drawings are drawn again, a new process is there', async () => {
  const before = pid
  const large = await sharp({
    create: { width: 5_000, height: 5_000, channels: 3, background: '#102030' },
  })
    .jpeg()
    .toBuffer()
  const hostile = read(large, 'ticket').catch(codeOf)
  const others = Promise.all([read(await photograph(), 'avatar'), draw(240)])
  await new Promise((resolve) => setTimeout(resolve, 30))
  process.kill(before, 'SIGKILL')
  expect(await hostile).toBe('upload_failed')
  const [picture, drawing] = await others
  expect([picture.width, (await sharp(drawing).metadata()).format]).toEqual([320, 'png'])
  expect(pid).not.toBe(before)
})

test('a process that is asked to end finishes what it has, and calls meanwhile reach the next one', async () => {
  const before = pid
  const work = Promise.all([draw(80), draw(240), read(await photograph(), 'avatar')])
  process.kill(before, 'SIGTERM')
  await work
  expect(await isGoneWithin(before, 10_000)).toBe(true)
  const later = await draw(80)
  expect(later.length).toBeGreaterThan(0)
  expect(pid).not.toBe(before)
})

test('uploads are read one at a time; more than a short line is asked to come again', async () => {
  const picture = await photograph()
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => read(picture, 'avatar').then(() => 'taken', codeOf)),
  )
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(17)
  expect(answers.filter((answer) => answer === 'too_many_requests')).toHaveLength(23)
  await read(picture, 'avatar')
})

test('with nobody there an upload is asked to wait, in the words of the caller', async () => {
  const nobody = createUploadReader(join(folder, 'nobody.sock'))
  const error: unknown = await nobody(await photograph(), 'avatar').catch(
    (reason: unknown) => reason,
  )
  expect(isAppError(error) && [error.code, error.params]).toEqual([
    'too_many_requests',
    { seconds: 5 },
  ])
})

test('a data directory with a long name is served all the same, and a socket left by a crash is in nobody’s way', async () => {
  const path = socketOf(join(folder, 'a'.repeat(120)), 'pictures')
  expect(path.length).toBeLessThan(100)
  const program = `import { serveLocally } from ${JSON.stringify(join(import.meta.dirname, 'platform', 'local-service.ts'))}; await serveLocally(${JSON.stringify(path)}, async () => ({ status: 200, headers: {}, body: Buffer.from('') })); console.log('there')`
  const first = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  started.push(first)
  await new Promise((resolve) => first.stdout.once('data', resolve))
  first.kill('SIGKILL')
  await new Promise((resolve) => first.once('exit', resolve))
  expect(existsSync(path)).toBe(true)
  const server = await serveLocally(path, () =>
    Promise.resolve({ status: 200, headers: {}, body: Buffer.from('') }),
  )
  await new Promise((resolve) => server.close(resolve))
})
