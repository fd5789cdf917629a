import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { removeDataFolder } from '../test/support/data-folder.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-cli-'))
})
afterEach(() => removeDataFolder(folder))

function cli(args: string[], environment: Record<string, string> = {}) {
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data'), ...environment },
    timeout: 600_000,
  })
  return { code: run.status, out: run.stdout, complaint: run.stderr }
}

describe('dispatch', () => {
  test('help lists the commands', () => {
    const { code, out } = cli(['--help'])
    expect(code).toBe(0)
    for (const name of ['start', 'migrate', 'import <folder>', 'export <folder>', 'doctor'])
      expect(out).toContain(`  ${name}`)
  })

  test('an unknown command and a missing argument end with 2', () => {
    expect(cli(['frob'])).toMatchObject({
      code: 2,
      complaint: expect.stringMatching(/^There is no command "frob"\./),
    })
    expect(cli(['import'])).toMatchObject({
      code: 2,
      complaint: 'The command "import" needs <folder>.\n',
    })
    expect(cli([])).toMatchObject({ code: 2 })
  })

  test('each command explains itself', () => {
    expect(cli(['import', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^npm run cli -- import <folder>\n[^]*For an operator with product\.change: --as <name>, or --token-file <file>\./,
      ),
    })
  })
})

test('a command that looks into a shop makes none where there is none', () => {
  for (const args of [
    ['orders', 'list'],
    ['operator', 'recover', 'ann'],
  ]) {
    const { code, complaint } = cli(args)
    expect(code).toBe(1)
    expect(complaint).toMatch(
      /^There is no shop in .*\/data\. Commands need the variables that the shop is started with/,
    )
  }
  const { code, out } = cli(['doctor'])
  expect(code).toBe(1)
  expect(out).toMatch(/^ok {5}shop: http:\/\/.*, in .*\/data$/m)
  expect(out).toMatch(/^wrong {2}data directory: There is no shop in .*\/data\./m)
  expect(readdirSync(folder)).toEqual([])
})

describe('a start that cannot be', () => {
  test('tells all wrong settings and touches nothing', () => {
    const { code, complaint } = cli(['start'], { PORT: '99999', ROLE: 'web', LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(complaint.trim().split('\n')).toEqual([
      expect.stringMatching(/^PORT /),
      expect.stringMatching(/^LOG_LEVEL /),
      expect.stringMatching(/^ROLE=web needs DATABASE_URL/),
      expect.stringMatching(/^ROLE=web needs SECRET_KEY/),
    ])
    expect(readdirSync(folder)).toEqual([])
  })

  test('names the port in use in one sentence, and leaves the data directory free', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = String(typeof address === 'object' ? address?.port : 0)
    expect(cli(['start'], { PORT: port })).toEqual({
      code: 1,
      out: '',
      complaint: `Port ${port} of 127.0.0.1 is in use by another program. Stop that program, or set PORT to another number.\n`,
    })
    expect(readdirSync(join(folder, 'data', 'run'))).toEqual([])
    server.close()
  })

  test('names a database that cannot be reached, without its password', () => {
    const { code, complaint } = cli(['start'], {
      ROLE: 'worker',
      DATABASE_URL: 'postgres://shop:hunter2@127.0.0.1:1/shop',
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    })
    expect(code).toBe(1)
    expect(complaint).toBe(
      'The database shop on 127.0.0.1:1 (DATABASE_URL) cannot be opened: connect ECONNREFUSED 127.0.0.1:1.\n',
    )
  })
})
