import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createVaultClient } from '#features/buying/vault/engine/vault-process.ts'
import { keepRunning, type SupervisedProcess } from '#cli/start/keep-running.ts'
import { keepingOf, launchOwn } from '#cli/start/own-processes.ts'
import { isAppError } from '#kernel/error.ts'
import { environmentOf } from '#platform/child-environment.ts'
import { readConfig } from '#platform/config.ts'
import { socketOf } from '#platform/local-service.ts'
import { createLogger } from '#platform/log.ts'
import { addVaultKey, openVaultKeys } from '#platform/vault-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-vault-'))
const config = readConfig({ DATA_DIR: folder })
const log = createLogger({ level: 'error', write: () => {} })
const vault = createVaultClient(socketOf(folder, 'vault'), log)
const place = {
  id: '01a20000-0000-7000-8000-000000000001',
  item: '01a20000-0000-7000-8000-00000000000a',
}
const rowKey = Buffer.alloc(32, 7)
let kept: SupervisedProcess
let pid = 0

beforeAll(() => {
  const launch = () => launchOwn('vault', config)
  kept = keepRunning({
    name: 'vault',
    first: launch(),
    launch: async () => launch(),
    log,
    onStart: (id) => void (pid = id),
    ...keepingOf('vault', config),
  })
})
afterAll(async () => {
  await kept.stop()
  rmSync(folder, { recursive: true })
})

test('the process wraps and unwraps for this user alone, and one that is killed is back for the next call', async () => {
  const [wrappedKey] = await vault.wrap(1, [{ ...place, rowKey }])
  const row = { ...place, wrappedKey: wrappedKey ?? Buffer.alloc(0), kekId: 1 }
  expect(await vault.unwrap([row])).toEqual([rowKey])
  expect(statSync(socketOf(folder, 'vault')).mode & 0o777).toBe(0o600)
  const before = pid
  process.kill(before, 'SIGKILL')
  expect(await vault.unwrap([row])).toEqual([rowKey])
  await vi.waitFor(() => expect(pid).not.toBe(before), { timeout: 60_000 })
  const moved = { ...row, id: '01a20000-0000-7000-8000-000000000002' }
  expect(await vault.unwrap([moved]).catch(codeOf)).toBe('codes_unavailable')
})

test('a key that is added to the file is taken up without a restart', async () => {
  const before = pid
  expect(addVaultKey(config)).toBe(2)
  const [wrappedKey] = await vault.wrap(2, [{ ...place, rowKey }])
  expect((await vault.keys()).map(({ id }) => id)).toEqual([1, 2])
  expect(
    await vault.unwrap([{ ...place, wrappedKey: wrappedKey ?? Buffer.alloc(0), kekId: 2 }]),
  ).toEqual([rowKey])
  expect(pid).toBe(before)
  expect(openVaultKeys(config).current.id).toBe(2)
})

test('with nobody there codes are said to be unavailable, which is told in the log', async () => {
  const lines: string[] = []
  const told = createLogger({ level: 'error', write: (line) => void lines.push(line) })
  const nobody = createVaultClient(join(folder, 'nobody.sock'), told)
  expect(await nobody.keys().catch(codeOf)).toBe('codes_unavailable')
  expect(lines.join('')).toContain('the vault does not answer')
})

test('the keys are in the environment of no process but the vault', async () => {
  const given = `5:${Buffer.alloc(32, 5).toString('base64')}`
  vi.stubEnv('VAULT_KEYS', given)
  try {
    const whole = readConfig({ DATA_DIR: folder, VAULT_KEYS: given })
    expect(environmentOf({ ...whole, vaultKeys: undefined })).not.toHaveProperty('VAULT_KEYS')
    const environments = (['pictures', 'vault'] as const).map(async (name) => {
      const running = launchOwn(name, whole)
      const text = await vi.waitFor(
        () => {
          const read = readFileSync(`/proc/${running.pid}/environ`, 'utf8')
          expect(read).toContain('MALLOC_ARENA_MAX=2')
          return read
        },
        { timeout: 60_000 },
      )
      await running.stop()
      return [name, text.includes('VAULT_KEYS='), text.includes(given)]
    })
    expect(await Promise.all(environments)).toEqual([
      ['pictures', false, false],
      ['vault', true, true],
    ])
  } finally {
    vi.unstubAllEnvs()
  }
})

const codeOf = (error: unknown) => (isAppError(error) ? error.code : String(error))
