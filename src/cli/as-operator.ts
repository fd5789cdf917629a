import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  actingAs,
  noteLackingPermission,
  proveByPassword,
  proveByToken,
} from '#features/team/operator/commands.ts'
import { hasOperators } from '#features/team/operator/queries.ts'
import { requirePermission, type Operator } from '#features/team/operator/rules.ts'
import { isAppError } from '#kernel/error.ts'
import { configFromEnvironment, type Config } from '#platform/config.ts'
import type { Ctx } from '#platform/ctx.ts'
import { operatorEnvironment } from '#platform/operator-config.ts'
import { refusal, systemErrorCode } from '#platform/refusal.ts'
import { optionOf, type OperatorCommand } from './commands.ts'
import { withContext } from './context.ts'
import { requireShop } from './database.ts'
import { readDemoPeople } from './demo-people-file.ts'
import { askSecret } from './prompt.ts'

const NOBODY_YET =
  'This shop has no operator yet. The first is made with: npm run cli -- operator create <name> owner'
const OTHERS_READ = 0o077

/** Runs an operator's command as somebody who has proved who they are, and whose role allows it. */
export async function runAsOperator(
  command: OperatorCommand,
  args: readonly string[],
): Promise<number> {
  requireShop(configFromEnvironment())
  return withContext('cli', async (ctx) => {
    const acting = actingAs(ctx, await proveOperator(ctx, args))
    try {
      if (command.permission !== null) requirePermission(acting, command.permission)
      return await (await command.act())(acting, args)
    } catch (error) {
      const lack = lackOf(error)
      if (lack === null || !isAppError(error)) throw error
      await noteLackingPermission(acting, error.params)
      throw lack
    }
  })
}

/** What an operator's role does not allow, as a sentence. */
function lackOf(error: unknown): Error | null {
  if (!isAppError(error) || error.code !== 'forbidden') return null
  const { permission, limit, role } = error.params
  if (permission) return refusal(`Your role (${role}) lacks the permission ${permission}.`, error)
  return limit
    ? refusal(`That is more than your role (${role}) may give at once (${limit}).`, error)
    : null
}

/** Who runs a command: by a token's file, or by name and password. Throws a refusal where nobody is proved. */
export async function proveOperator(ctx: Ctx, args: readonly string[]): Promise<Operator> {
  if (!(await hasOperators(ctx.db))) throw refusal(NOBODY_YET)
  const environment = operatorEnvironment()
  const named = optionOf(args, '--as')
  const given = optionOf(args, '--token-file')
  const file = given === null ? environment.tokenFile : resolve(given)
  if (file !== undefined) {
    const operator = await proveByToken(ctx, readTokenFile(file))
    if (!operator) throw refusal(`The token in ${file} is unknown or has ended.`)
    if (named !== null && named !== operator.name)
      throw refusal(`The token in ${file} is that of ${operator.name}, not of ${named}.`)
    return operator
  }
  const demo = demoOperator(configFromEnvironment())
  const name = named ?? demo?.name
  if (name === undefined)
    throw refusal('Say who you are: --as <name>, or --token-file <file> with a token of yours.')
  const password =
    environment.password?.reveal() ??
    (demo?.name === name ? demo.password : await askSecret(`Password of ${name}`))
  if (password === null || password === '')
    throw refusal(
      `There is no password for ${name}: type it at a terminal, or set OPERATOR_PASSWORD or OPERATOR_TOKEN_FILE.`,
    )
  const operator = await proveByPassword(ctx, name, password)
  if (!operator) throw refusal('That name and password belong to no active operator.')
  return operator
}

/** Whoever may read the demo's file may act as the demo's operator. */
function demoOperator(config: Config): { readonly name: string; readonly password: string } | null {
  return config.demo ? (readDemoPeople(config.dataDirectory)?.operator ?? null) : null
}

/** A file that others may read, or that is somebody else's, proves nothing. */
export function readTokenFile(file: string): string {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    throw refusal(
      `The token's file ${file} cannot be read (${systemErrorCode(error) ?? String(error)}).`,
      error,
    )
  }
  try {
    const { mode, uid } = fstatSync(descriptor)
    if ((mode & OTHERS_READ) !== 0 || uid !== process.getuid?.())
      throw refusal(`The token's file ${file} must be yours alone: chmod 600 ${file}`)
    return readFileSync(descriptor, 'utf8').trim()
  } finally {
    closeSync(descriptor)
  }
}
