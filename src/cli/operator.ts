import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { grantRole, resetFromShell } from '#features/office/staff/commands.ts'
import { suspendOperator } from '#features/office/suspension/commands.ts'
import {
  actingAs,
  changeOperatorPassword,
  createFirstOwner,
  createOperator,
  createToken,
  recoverOwner,
  setOperatorStatus,
  type OperatorCtx,
} from '#features/team/operator/commands.ts'
import { hasAnotherApprover } from '#features/team/approval/queries.ts'
import { findRole, hasOperators, listOperators } from '#features/team/operator/queries.ts'
import { isHeavy, TOKEN_DAYS } from '#features/team/operator/rules.ts'
import { operatorEnvironment } from '#platform/operator-config.ts'
import { refusal, systemErrorCode } from '#platform/refusal.ts'
import { placeSecretFile } from '#platform/secret-file.ts'
import { proveOperator } from './as-operator.ts'
import { optionOf, type OperatorRun, type Run } from './commands.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { withContext } from './context.ts'
import { requireShop } from './database.ts'
import { askSecret } from './prompt.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const SENTENCES = {
  not_found:
    'There is no operator of this name, or no such role: operator list and the console show them.',
  conflict:
    'There is an operator of this name already, or was: names are never given a second time.',
  last_owner: 'Nobody would be left who is an owner: make somebody else one first.',
}

export const createCommand: Run = async (args) => {
  const [name = '', roleName = ''] = positionals(args)
  const role = roleName
  return withContext('cli', async (ctx) => {
    const isFirst = !(await hasOperators(ctx.db))
    if (isFirst && role !== 'owner')
      throw refusal('The first operator of a shop is its owner: operator create <name> owner')
    const acting = isFirst ? null : actingAs(ctx, await proveOperator(ctx, args))
    if (acting) await refuseUnseen(acting, role)
    const password = await newPassword(name)
    await explained(
      SENTENCES,
      acting
        ? createOperator(acting, { name, role, password })
        : createFirstOwner(ctx, { name, password }),
    )
    process.stdout.write(`${name} can act now, as ${role}.\n`)
    return 0
  })
}

/** A password that somebody else knows is no way round the second person. */
async function refuseUnseen(ctx: OperatorCtx, role: string): Promise<void> {
  const powers = await findRole(ctx.db, role)
  if (!powers || !isHeavy(powers)) return
  if (await hasAnotherApprover(ctx.db, ctx.now(), [ctx.operator.name]))
    throw refusal(
      'A role that moves money, goods or the team is given by two people: invite them in the console, under Team.',
    )
}

export const listCommand: OperatorRun = async (ctx, args) => {
  const operators = await listOperators(ctx.db, ctx.now())
  print(args, operators, () =>
    table(
      ['NAME', 'ROLE', 'STATE', 'TOKENS', 'SINCE (UTC)'],
      operators.map(({ name, role, status, tokens, createdAt }) => [
        name,
        role,
        status,
        String(tokens),
        moment(createdAt),
      ]),
    ),
  )
  return 0
}

export const roleCommand: OperatorRun = async (ctx, args) => {
  const [name = '', role = ''] = positionals(args)
  const waits = await explained(SENTENCES, grantRole(ctx, name, role))
  process.stdout.write(
    waits === null
      ? `${name} is now ${role}.\n`
      : `Another person approves that first: approvals approve ${waits}\n`,
  )
  return 0
}

export const disableCommand: OperatorRun = async (ctx, args) => {
  const [name = ''] = positionals(args)
  await explained(SENTENCES, suspendOperator(ctx, name))
  process.stdout.write(`${name} is shut out.\n`)
  return 0
}

export const enableCommand: OperatorRun = async (ctx, args) => {
  const [name = ''] = positionals(args)
  await explained(SENTENCES, setOperatorStatus(ctx, name, 'active'))
  process.stdout.write(`${name} can act again.\n`)
  return 0
}

export const passwordCommand: OperatorRun = async (ctx, args) => {
  const [name = ''] = positionals(args)
  await explained(SENTENCES, changeOperatorPassword(ctx, name, await newPassword(name)))
  process.stdout.write('The new password holds; tokens made before have ended.\n')
  return 0
}

export const recoverCommand: Run = async (args) => {
  const [name = ''] = positionals(args)
  requireShop(configFromEnvironment())
  await withContext('cli', async (ctx) =>
    explained(SENTENCES, recoverOwner(ctx, name, await newPassword(name))),
  )
  process.stdout.write(`${name} is an owner with a new password; tokens made before have ended.\n`)
  return 0
}

const RESET_SENTENCES = {
  not_found: 'There is no active operator of this name. npm run cli -- operator list shows them.',
  conflict:
    'Somebody else manages the team, too: they ask for it in the console, under Team, and a third person or a day decides.',
  changed_meanwhile: 'That is under way already. The console shows when it is done.',
}

export const resetCommand: Run = async (args) => {
  const [name = ''] = positionals(args)
  requireShop(configFromEnvironment())
  const dueAt = await withContext('cli', (ctx) =>
    explained(RESET_SENTENCES, resetFromShell(ctx, name)),
  )
  process.stdout.write(
    `The passkeys and the app of ${name} go at ${moment(dueAt)} UTC, and everybody is told by mail. Stop it in the console, under Team.\n`,
  )
  return 0
}

export const tokenCommand: OperatorRun = async (ctx, args) => {
  const file = resolve(positionals(args)[0] ?? '')
  const days = optionOf(args, '--days') ?? String(TOKEN_DAYS.usual)
  if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > TOKEN_DAYS.most)
    throw refusal(`--days takes a number from 1 to ${TOKEN_DAYS.most}.`)
  if (existsSync(file)) throw refusal(`${file} is there already; name a new file.`)
  const { token, expiresAt } = await createToken(ctx, { label: file, days: Number(days) })
  try {
    placeSecretFile(file, `${token}\n`)
  } catch (error) {
    throw refusal(`${file} cannot be written (${systemErrorCode(error) ?? String(error)}).`, error)
  }
  process.stdout.write(`Written to ${file}, for you alone; it ends on ${moment(expiresAt)} UTC.\n`)
  return 0
}

/** Typed twice at a terminal, or of the environment. */
async function newPassword(name: string): Promise<string> {
  const given = operatorEnvironment().newPassword?.reveal()
  if (given !== undefined) return given
  const typed = await askSecret(`New password of ${name}`)
  if (typed === null)
    throw refusal('There is no terminal to ask for the new password: set OPERATOR_NEW_PASSWORD.')
  if ((await askSecret('The same again')) !== typed)
    throw refusal('The two passwords differ; nothing was changed.')
  return typed
}
