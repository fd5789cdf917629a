import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { offeredSuppliers } from '#providers/supply/offered.ts'
import type { SupervisedProcess } from './keep-running.ts'
import { withRunningSandboxes } from './running-sandboxes.ts'
import { checkSandboxPackages, keepSandboxes, withSandboxSettings } from './sandboxes.ts'

let folder = ''
let kept: SupervisedProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-sandboxes-'))
})
afterEach(async () => {
  await Promise.all(kept.splice(0).map((one) => one.stop()))
  rmSync(folder, { recursive: true })
})

const log = createLogger({ level: 'error', write: () => {} })
const KEY = Buffer.alloc(32, 1).toString('base64')

async function statusOf(port: number | undefined, path: string): Promise<number> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  )
}

test('the demo runs its sandboxes on ports of their own, and none is left when they are stopped', async () => {
  const config = await withSandboxSettings(
    readConfig({
      DATA_DIR: folder,
      PUBLIC_URL: 'http://shop.example',
      DEMO: 'public',
      SECRET_KEY: KEY,
    }),
  )
  expect(config.smtpUrl?.reveal()).toBe(`smtp://127.0.0.1:${config.sandboxPorts.smtp}`)
  expect(Object.keys(config.sandboxPorts)).toEqual(
    expect.arrayContaining(['identity', 'mail', 'smtp', 'payment', 'supply', 'supply-seagm']),
  )
  const ports = Object.values(config.sandboxPorts)
  expect(new Set(ports).size).toBe(ports.length)
  kept = keepSandboxes(config, log)
  const { mail, identity, supply } = config.sandboxPorts
  await vi.waitFor(
    async () => {
      expect([
        await statusOf(mail, '/sandbox/mail'),
        await statusOf(identity, '/sandbox/identity/.well-known/openid-configuration'),
        await statusOf(supply, '/sandbox/supply'),
      ]).toEqual([200, 200, 200])
    },
    { timeout: 60_000, interval: 100 },
  )
  await Promise.all(kept.splice(0).map((one) => one.stop()))
  expect([await statusOf(mail, '/'), await statusOf(identity, '/')]).toEqual([0, 0])
})

test('a command beside the demo asks its suppliers, as long as the program that started them runs', async () => {
  const environment = { DATA_DIR: folder, SECRET_KEY: KEY }
  const beside = () => withRunningSandboxes(readConfig(environment))
  expect(beside().sandboxPorts).toEqual({})
  const config = await withSandboxSettings(readConfig(environment))
  kept = keepSandboxes(config, log)
  const suppliers = await offeredSuppliers(beside(), () => new Date())
  await vi.waitFor(
    async () => expect(await suppliers.get('hook')?.balances()).toMatchObject([{ available: {} }]),
    { timeout: 60_000, interval: 100 },
  )
  const note = join(folder, 'run', 'sandboxes.json')
  const { ports } = JSON.parse(readFileSync(note, 'utf8')) as { ports: object }
  writeFileSync(note, JSON.stringify({ identity: `${process.pid} of a process before`, ports }))
  expect(beside().sandboxPorts).toEqual({})
  expect(withRunningSandboxes(readConfig({ ...environment, DEMO: '0' })).sandboxPorts).toEqual({})
})

test('a demo that was given a mail server sends through it', async () => {
  const config = await withSandboxSettings(
    readConfig({ DATA_DIR: folder, SMTP_URL: 'smtp://mail.example' }),
  )
  expect(config.smtpUrl?.reveal()).toBe('smtp://mail.example')
})

test.each([
  { DEMO: '0' },
  { ROLE: 'worker', DEMO: '1', DATABASE_URL: 'postgres://db/shop', SECRET_KEY: KEY },
])('there is no sandbox with %j', async (environment) => {
  const config = await withSandboxSettings(readConfig({ DATA_DIR: folder, ...environment }))
  expect([config.sandboxPorts, config.smtpUrl, config.identity.sandboxSecret]).toEqual([
    {},
    undefined,
    null,
  ])
  expect(keepSandboxes(config, log)).toEqual([])
})

test('a demo without its packages is refused in one sentence, a real shop and other roles are not', () => {
  const check = (demo: boolean, role: 'all' | 'worker' = 'all') =>
    checkSandboxPackages({ demo, role }, (name) => name !== 'oidc-provider')
  expect(() => check(true)).toThrow(
    /^The demo needs packages that a production install leaves out \(oidc-provider\): .+\.$/,
  )
  expect(() => check(false)).not.toThrow()
  expect(() => check(true, 'worker')).not.toThrow()
  expect(() => checkSandboxPackages({ demo: true, role: 'all' })).not.toThrow()
})
