import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isLoopbackHost } from '#platform/http/loopback.ts'
import { refusal } from '#platform/refusal.ts'
import { secret, type Secret } from '#platform/secret.ts'
import { HOOK_PAYMENT_TIMEOUT_MS } from '#providers/payment/payment-hook/api.ts'
import { openHookClient } from '#providers/supply/hook/client.ts'
import { createHookSupplier, HOOK_TIMEOUT_MS } from '#providers/supply/hook/hook.ts'
import { isInsideLiteral } from '#providers/supply/wire/outside.ts'
import { optionOf, type Run } from './commands.ts'
import { paymentRules } from './extension/payment-rules.ts'
import { openExtension, tryRules, type Finding, type Rule } from './extension/rules.ts'
import { supplyRules, type Buying } from './extension/supply-rules.ts'
import { askSecret } from './prompt.ts'
import { positionals } from './table.ts'

const SECRET_LEAST = 32
const ENDS = { kept: 'kept      ', broken: 'BROKEN    ', not_tried: 'not tried ' } as const

/** The contract of a payment service or a supplier, tried at any address. Nothing of the shop is read or changed. */
export const testCommand: Run = async (args) => {
  const [address = ''] = positionals(args)
  const kind = optionOf(args, '--kind')
  if (kind !== 'payment' && kind !== 'supplier')
    throw refusal('--kind must be payment or supplier.')
  const url = checkedAddress(address)
  const key = await readSecret(args)
  const rules =
    kind === 'payment' ? paymentOf(url, key, args) : supplierOf(url, key, buyingOf(args))
  const findings = await tryRules(rules, (finding) => process.stdout.write(lineOf(finding)))
  const count = (end: Finding['end']) => findings.filter((each) => each.end === end).length
  process.stdout.write(
    `\n${count('kept')} kept, ${count('broken')} broken, ${count('not_tried')} not tried.\n`,
  )
  return count('broken') === 0 ? 0 : 1
}

const lineOf = ({ end, rule, why }: Finding): string =>
  `${ENDS[end]}${rule}\n${why === null ? '' : `          ${why}\n`}`

function checkedAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '')
    throw refusal(`${address} is no address like https://pay.example/lukado.`)
  const isLoopback = isLoopbackHost(url.hostname)
  if (isInsideLiteral(url.hostname) && !isLoopback)
    throw refusal('The address must be outside your own network, or on this machine.')
  if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:'))
    throw refusal('The address must be https; http will do on this machine alone.')
  return url.href
}

/** Never an argument: those are seen by everybody on the machine, and kept by shells. */
async function readSecret(args: readonly string[]): Promise<Secret> {
  const file = optionOf(args, '--secret-file')
  const given =
    file === null
      ? (process.env['EXTENSION_SECRET'] ?? (await askSecret('The secret that it shares with you')))
      : readFile(file)
  const text = given?.trim() ?? ''
  if (text.length < SECRET_LEAST)
    throw refusal(
      `It takes the secret that the extension shares with the shop, of at least ${SECRET_LEAST} characters: in EXTENSION_SECRET, in the file of --secret-file, or typed.`,
    )
  return secret(text)
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw refusal(`${file} cannot be read.`)
  }
}

function paymentOf(url: string, key: Secret, args: readonly string[]): readonly Rule[] {
  const more = (optionOf(args, '--pages') ?? '').split(',').filter((page) => page !== '')
  const client = openHookClient(HOOK_PAYMENT_TIMEOUT_MS, true)
  return paymentRules(openExtension(url, key, client, 'payment'), [new URL(url).origin, ...more])
}

function supplierOf(url: string, key: Secret, buying: Buying | null): readonly Rule[] {
  const client = openHookClient(HOOK_TIMEOUT_MS, true)
  const provider = createHookSupplier({ url, secret: key, client, now: () => new Date() })
  return supplyRules(openExtension(url, key, client, 'supply'), provider, buying)
}

function buyingOf(args: readonly string[]): Buying | null {
  const product = optionOf(args, '--buy')
  const given = optionOf(args, '--fields') ?? '{}'
  const fields = z.record(z.string(), z.string()).safeParse(parsed(given)).data
  if (!fields) throw refusal('--fields must be like {"user_id":"12345678"}.')
  return product === null ? null : { product, fields }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
