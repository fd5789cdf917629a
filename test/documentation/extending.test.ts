import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '#platform/free-port.ts'
import { PROJECT_ROOT } from '#platform/project.ts'

/** The service and the call of docs/operating/extending.md as they stand there, tried by the command that the page names. */
const page = readFileSync(join(PROJECT_ROOT, 'docs', 'operating', 'extending.md'), 'utf8')
const SECRET = 'of the owner and their shop alone, for payments'
const blockOf = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

let address = ''
let stop: () => void = () => {}

beforeAll(async () => {
  const port = await freePort()
  address = `http://127.0.0.1:${port}/lukado`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', blockOf('js')], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port), SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stop = () => void child.kill()
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += String(chunk)
  })
  await vi.waitFor(() => expect(out).toContain('listening'), { timeout: 60_000, interval: 50 })
})
afterAll(() => stop())

async function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(program, args, {
    cwd: PROJECT_ROOT,
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += String(chunk)
    })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out }
}

const extensionTest = (secret: string, ...args: readonly string[]) =>
  run(process.execPath, ['src/cli.ts', 'extension', 'test', ...args], { EXTENSION_SECRET: secret })

test('the service in Node.js keeps every rule of the contract', async () => {
  const { code, out } = await extensionTest(SECRET, address, '--kind', 'payment')
  expect(out).toContain(' 0 broken, 0 not tried.')
  expect(code).toBe(0)
})

test('with another secret it breaks some, which the exit code says', async () => {
  const { code, out } = await extensionTest(`${SECRET}!`, address, '--kind', 'payment')
  expect(out).toContain('BROKEN    `offer` is answered')
  expect(out).toContain('took no signature')
  expect(out).not.toContain(SECRET)
  expect(code).toBe(1)
})

test('without a secret, or at an address inside, it is not tried', async () => {
  for (const [secret, url, says] of [
    ['', address, 'It takes the secret'],
    [SECRET, 'https://10.1.2.3/lukado', 'outside your own network'],
    [SECRET, 'http://pay.example/lukado', 'must be https'],
  ] as const) {
    const { code, out } = await extensionTest(secret, url, '--kind', 'payment')
    expect([code, out]).toEqual([1, expect.stringContaining(says)])
  }
})

test('the call in curl is answered', async () => {
  const { out } = await run('sh', ['-c', blockOf('sh')], { ADDRESS: address, SECRET })
  expect(JSON.parse(out)).toMatchObject({ outcome: 'offer', account: { id: 'example' } })
})
