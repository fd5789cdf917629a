import { isIP } from 'node:net'
import { createKey, revokeKey, rotateKey } from '#features/buying/reseller/commands.ts'
import { listKeys } from '#features/buying/reseller/queries.ts'
import { SCOPES, type Scope } from '#features/buying/reseller/rules.ts'
import { createTestKey, revokeTestKey } from '#features/buying/reseller-sandbox/commands.ts'
import { listTestKeys } from '#features/buying/reseller-sandbox/queries.ts'
import { TEST_KEY } from '#features/buying/reseller-sandbox/rules.ts'
import { parseMajor, toMajor } from '#kernel/money.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { newFile, writeSecret } from './new-secret-file.ts'
import { explained, moment, positionals, print, required, table } from './table.ts'
import { checkedUrl } from './webhook.ts'

const KEY = {
  not_found: 'There is no key of this name in force. npm run cli -- reseller list shows them.',
}
const USUAL_SCOPES = 'browse,order,reveal'

export const createCommand: OperatorRun = async (ctx, args) => {
  const [email = '', name = '', place = ''] = positionals(args)
  const file = newFile(place)
  const made = await explained(
    nobody(email),
    createKey(ctx, {
      email,
      name: nameOf(name),
      scopes: scopesOf(optionOf(args, '--scopes') ?? USUAL_SCOPES),
      ...limitsOf(args),
      agentMax: optionOf(args, '--agent-max') === null ? null : dollarsOf(args, '--agent-max'),
      networks: networksOf(optionOf(args, '--networks') ?? ''),
    }),
  )
  writeSecret(file, made)
  process.stdout.write(
    `The key ${made.key} is written to ${file} with its secret, for you alone.\n`,
  )
  return 0
}

export const createTestCommand: OperatorRun = async (ctx, args) => {
  const [email = '', name = '', place = ''] = positionals(args)
  const file = newFile(place)
  const webhook = optionOf(args, '--webhook')
  const made = await explained(
    nobody(email),
    createTestKey(ctx, {
      email,
      name: nameOf(name),
      ...limitsOf(args),
      webhookUrl: webhook === null ? null : checkedUrl(webhook),
    }),
  )
  writeSecret(file, made)
  process.stdout.write(
    `The test key ${made.key} is written to ${file} with its secret, for you alone. It buys nothing.\n`,
  )
  return 0
}

export const listCommand: OperatorRun = async (ctx, args) => {
  const now = ctx.now()
  const keys = [...(await listKeys(ctx.db, now)), ...(await listTestKeys(ctx.db, now))]
  const usd = (minor: bigint | null) => (minor === null ? 'none' : toMajor(minor, 2))
  print(args, keys, () =>
    keys.length === 0
      ? 'Nobody buys here by a key.\n'
      : table(
          [
            'KEY',
            'ACCOUNT',
            'NAME',
            'SCOPES',
            'AN ORDER',
            'A DAY',
            'OF IT USED',
            'LAST USED (UTC)',
            'STATE',
          ],
          keys.map((key) => [
            key.key,
            key.email ?? 'erased',
            key.name,
            key.scopes.join(' '),
            usd(key.orderMaxUsd),
            usd(key.dayMaxUsd),
            usd(key.dayUsd),
            moment(key.lastUsedAt),
            key.revokedAt ? 'revoked' : 'in force',
          ]),
        ),
  )
  return 0
}

export const rotateCommand: OperatorRun = async (ctx, args) => {
  const [key = '', place = ''] = positionals(args)
  const file = newFile(place)
  writeSecret(file, await explained(KEY, rotateKey(ctx, key)))
  process.stdout.write(`The new secret is written to ${file}; the one before holds for a day.\n`)
  return 0
}

export const revokeCommand: OperatorRun = async (ctx, args) => {
  const [key = ''] = positionals(args)
  await explained(KEY, TEST_KEY.test(key) ? revokeTestKey(ctx, key) : revokeKey(ctx, key))
  process.stdout.write('The key is over.\n')
  return 0
}

const nobody = (email: string) => ({
  not_found: `Nobody who may buy here has the address ${email}.`,
})

function nameOf(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || name.length > 100) throw refusal('A name has 1 to 100 characters.')
  return trimmed
}

function limitsOf(args: readonly string[]) {
  const [orderMax, dayMax] = [dollarsOf(args, '--order-max'), dollarsOf(args, '--day-max')]
  if (dayMax < orderMax) throw refusal('--day-max is not less than --order-max.')
  return { orderMax, dayMax }
}

function scopesOf(list: string): Scope[] {
  const names = [...new Set(list.split(',').map((name) => name.trim()))]
  const known = SCOPES.filter((scope) => names.includes(scope))
  if (known.length !== names.length) throw refusal(`Scopes are of ${SCOPES.join(', ')}.`)
  return known
}

/** Networks as PostgreSQL reads them; a mistake is told before anything is written. */
function networksOf(list: string): string[] {
  return list
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '')
    .map((network) => {
      const [address = '', bits, ...rest] = network.split('/')
      const version = isIP(address)
      const most = version === 6 ? 128 : 32
      const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
      if (version === 0 || !isWhole || rest.length > 0)
        throw refusal(`${network} is no address and no network like 203.0.113.0/24.`)
      return `${address}/${bits ?? most}`
    })
}

function dollarsOf(args: readonly string[], option: string): bigint {
  const minor = parseMajor(required(args, option, 'an amount in US dollars, like 500.00'), 2)
  if (minor === null || minor <= 0n) throw refusal(`${option} takes an amount like 500.00.`)
  return minor
}
