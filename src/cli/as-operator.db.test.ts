import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../test/support/command.ts'
import { useDatabase } from '../../test/support/database.ts'

const PASSWORD = 'correct horse battery'
const database = useDatabase()
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lukado-operator-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function cli(args: readonly string[], environment: Record<string, string> = {}) {
  return runCommand(args, { DATA_DIR: folder, DATABASE_URL: database.url, ...environment })
}

const asMara = { OPERATOR_PASSWORD: PASSWORD }
const auditOf = (action: string) =>
  database.ctx.db
    .selectFrom('audit_log')
    .select(['actor', 'request_id', 'after'])
    .where('action', '=', action)
    .execute()

test('without any operator only the technical commands and operator create work', async () => {
  expect(await cli(['orders', 'list'])).toEqual({
    code: 1,
    out: '',
    complaint:
      'This shop has no operator yet. The first is made with: npm run cli -- operator create <name> owner\n',
  })
  expect(await cli(['migrate'])).toMatchObject({ code: 0 })
  expect(
    await cli(['operator', 'create', 'mara', 'support'], { OPERATOR_NEW_PASSWORD: PASSWORD }),
  ).toMatchObject({ code: 1, complaint: expect.stringContaining('owner') })
  expect(
    await cli(['operator', 'create', 'mara', 'owner'], { OPERATOR_NEW_PASSWORD: PASSWORD }),
  ).toEqual({ code: 0, out: 'mara can act now, as owner.\n', complaint: '' })
  // From now on it takes an operator.
  expect(
    await cli(['operator', 'create', 'eve', 'owner'], { OPERATOR_NEW_PASSWORD: PASSWORD }),
  ).toMatchObject({ code: 1, complaint: expect.stringMatching(/^Say who you are: --as <name>/) })
  expect(
    await cli(['operator', 'create', 'aiko', 'support', '--as', 'mara'], {
      ...asMara,
      OPERATOR_NEW_PASSWORD: PASSWORD,
    }),
  ).toMatchObject({ code: 0 })
})

test('a password is asked for at a terminal only, and never taken for another name', async () => {
  expect(await cli(['orders', 'list', '--as', 'mara'])).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/^There is no password for mara: type it at a terminal/),
  })
  expect(
    await cli(['orders', 'list', '--as', 'mara'], { OPERATOR_PASSWORD: 'wrong' }),
  ).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/That name and password belong to no active operator\.\n$/),
  })
  expect(await cli(['orders', 'list', '--as', 'mara'], asMara)).toEqual({
    code: 0,
    out: 'No such order.\n',
    complaint: '',
  })
})

test('a role that lacks the permission is refused in one sentence, and nothing happens', async () => {
  expect(await cli(['keys', 'release', 'card:none:1', '--as', 'aiko'], asMara)).toEqual({
    code: 1,
    out: '',
    complaint: 'Your role (support) lacks the permission key.import.\n',
  })
  expect(await cli(['operator', 'role', 'aiko', 'owner', '--as', 'aiko'], asMara)).toMatchObject({
    complaint: 'Your role (support) lacks the permission staff.manage.\n',
  })
  expect(await auditOf('release')).toEqual([])
})

test('a token acts for who made it while its file is theirs alone', async () => {
  const file = join(folder, 'token')
  expect(await cli(['operator', 'token', file, '--as', 'mara'], asMara)).toMatchObject({ code: 0 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/^lukado-operator-[\w-]{43}\n$/)
  const ok = { code: 0, out: expect.stringContaining('aiko') }
  expect(await cli(['operator', 'list', '--token-file', file])).toMatchObject(ok)
  expect(await cli(['operator', 'list'], { OPERATOR_TOKEN_FILE: file })).toMatchObject(ok)
  expect(await cli(['operator', 'list', '--as', 'aiko', '--token-file', file])).toMatchObject({
    complaint: `The token in ${file} is that of mara, not of aiko.\n`,
  })
  chmodSync(file, 0o640)
  expect(await cli(['operator', 'list', '--token-file', file])).toMatchObject({
    code: 1,
    complaint: `The token's file ${file} must be yours alone: chmod 600 ${file}\n`,
  })
  writeFileSync(file, 'lukado-operator-none', { mode: 0o600 })
  chmodSync(file, 0o600)
  expect(await cli(['operator', 'list', '--token-file', file])).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/is unknown or has ended\.\n$/),
  })
  expect(await cli(['operator', 'list', '--token-file', join(folder, 'no')])).toMatchObject({
    complaint: expect.stringContaining('cannot be read (ENOENT)'),
  })
  expect(existsSync(join(folder, 'no'))).toBe(false)
})

test('what an operator changes is written down with who and in which request', async () => {
  expect(await cli(['operator', 'role', 'aiko', 'orders', '--as', 'mara'], asMara)).toMatchObject({
    code: 0,
    out: 'aiko is now orders.\n',
  })
  const [line] = await auditOf('update')
  expect(line).toMatchObject({ actor: 'operator:mara', after: { role: 'orders' } })
  expect(line?.request_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('a shop whose owner forgot the password has a way back, in plain sight', async () => {
  expect(
    await cli(['operator', 'recover', 'mara'], { OPERATOR_NEW_PASSWORD: 'a new battery staple' }),
  ).toMatchObject({ code: 0 })
  expect(await cli(['operator', 'list', '--as', 'mara'], asMara)).toMatchObject({ code: 1 })
  expect((await auditOf('password_changed')).map(({ actor }) => actor)).toEqual(['shell'])
})
