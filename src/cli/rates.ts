import { recordRatesByOperator, refuseRate } from '#features/goods/currency/commands.ts'
import { listHeldRates, listRates } from '#features/goods/currency/queries.ts'
import { changePrices } from '#features/office/pricing/commands.ts'
import { rateText } from '#features/goods/currency/rules.ts'
import type { Ratio } from '#kernel/money.ts'
import { configFromEnvironment } from '#platform/config.ts'
import { refusal } from '#platform/refusal.ts'
import { offeredRates } from '#providers/rates/offered.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { instantOf } from './instant-argument.ts'
import { waitsText } from './prices.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const RATE = /^(?=.*[1-9])\d{1,9}(?:\.\d{1,12})?$/
const DECIDED = {
  not_found: 'No such rate waits (any more). npm run cli -- rates pending shows those that do.',
}

/** Without the zeros at its end. */
const shown = (rate: Ratio) => rateText(rate).replace(/\.?0+$/, '')
const percent = (basisPoints: bigint) =>
  `${basisPoints > 0n ? '+' : ''}${basisPoints / 100n}.${String(basisPoints < 0n ? -basisPoints % 100n : basisPoints % 100n).padStart(2, '0')} %`

export const listRatesCommand: OperatorRun = async (ctx, args) => {
  const at = optionOf(args, '--at')
  const rates = await listRates(ctx.db, at === null ? null : instantOf(at, '--at'))
  const now = ctx.now()
  print(args, rates, () =>
    table(
      ['CURRENCY', 'PER USD', 'SOURCE', 'PUBLISHED (UTC)', 'IN FORCE SINCE (UTC)', 'SPREAD', ''],
      rates.map((rate) => [
        rate.currency,
        shown(rate.perUsd),
        rate.source,
        moment(rate.publishedAt),
        moment(rate.inForceSince),
        rate.spreadBasisPoints === 0 ? '' : percent(BigInt(rate.spreadBasisPoints)),
        at === null ? stateOf(rate, now) : '',
      ]),
    ),
  )
  return 0
}

function stateOf(
  { staleAt, stopsAt }: { readonly staleAt: Date | null; readonly stopsAt: Date | null },
  now: Date,
): string {
  if (stopsAt !== null && stopsAt < now) return 'too old: nothing is sold by it'
  return staleAt !== null && staleAt < now ? 'old' : ''
}

export const pendingRatesCommand: OperatorRun = async (ctx, args) => {
  const rates = await listHeldRates(ctx.db)
  print(args, rates, () =>
    rates.length === 0
      ? 'No rate waits.\n'
      : table(
          ['RATE', 'CURRENCY', 'SOURCE', 'PUBLISHED (UTC)', 'PER USD', 'IN FORCE', 'CHANGE'],
          rates.map((rate) => [
            rate.id,
            rate.currency,
            rate.source,
            moment(rate.publishedAt),
            shown(rate.perUsd),
            rate.inForce === null ? '' : shown(rate.inForce),
            rate.changeBasisPoints === null ? '' : percent(rate.changeBasisPoints),
          ]),
        ),
  )
  return 0
}

const OUTCOMES = {
  in_force: 'It is in force; the shop shows it within seconds.\n',
  held: 'It is far from the rate in force and waits: npm run cli -- rates pending shows it, rates accept lets it be used.\n',
  not_chosen:
    'It is kept, and another source stands before it in the setting exchange_rates: what is in force stays.\n',
}

export const acceptRateCommand: OperatorRun = async (ctx, args) => {
  const { waits, rate } = await explained(
    DECIDED,
    changePrices(ctx, { path: 'rate_accept', id: idOf(args) }, null),
  )
  process.stdout.write(waits === null ? OUTCOMES[rate ?? 'in_force'] : waitsText(waits))
  return 0
}

export const refuseRateCommand: OperatorRun = async (ctx, args) => {
  await explained(DECIDED, refuseRate(ctx, idOf(args)))
  process.stdout.write('It is never used. The next one of its source is looked at anew.\n')
  return 0
}

function idOf(args: readonly string[]): string {
  const [id = ''] = positionals(args)
  if (!UUID.test(id)) throw refusal(DECIDED.not_found)
  return id
}

export const setRateCommand: OperatorRun = async (ctx, args) => {
  const [currency = '', perUsd = ''] = positionals(args)
  if (!RATE.test(perUsd))
    throw refusal('A rate is units of the currency for one US dollar, above zero, like 0.92.')
  const unknown = `The shop has no currency ${currency} with a rate against the US dollar.`
  const { waits, rate } = await explained(
    { not_found: unknown, check_fields: unknown },
    changePrices(ctx, { path: 'rate', currency, per_usd: perUsd }, null),
  )
  process.stdout.write(waits === null ? OUTCOMES[rate ?? 'in_force'] : waitsText(waits))
  return 0
}

export const fetchRatesCommand: OperatorRun = async (ctx, args) => {
  const [code = ''] = positionals(args)
  const offered = await offeredRates(configFromEnvironment().rates)
  const source = offered.find(({ service }) => service.code === code)
  if (!source)
    throw refusal(
      `There is no source ${code}, or its settings are missing. Set up: ${offered.map(({ service }) => service.code).join(', ')}.`,
    )
  const published = await source.source.fetch(ctx.now()).catch((error: unknown) => {
    throw refusal(
      `${code} gave nothing that can be used: ${error instanceof Error ? error.message : String(error)}. The rates in force stay.`,
      error,
    )
  })
  const found = await recordRatesByOperator(ctx, code, published)
  process.stdout.write(
    `New: ${found.quotes}. In force since now: ${found.changed.join(', ') || 'none'}. Waiting to be accepted: ${found.held.join(', ') || 'none'}.\n`,
  )
  return 0
}
