import { changePrices } from '#features/office/pricing/commands.ts'
import { setCustomerLevel } from '#features/people/account/commands.ts'
import { explainPrice, listRules, listWithheld } from '#features/goods/price/queries.ts'
import { storedSteps, type MarginRule, type StoredStep } from '#features/goods/price/rules.ts'
import { toMajor } from '#kernel/money.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { instantOf } from './instant-argument.ts'
import { readMoney } from './money.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PERCENT = /^(\d{1,3})(?:\.(\d{1,2}))?$/
const BASIS_MOST = 100_000
const NO_RULE = 'No such rule is in force or to come: npm run cli -- price rule list shows them.'
const NO_ITEM = 'The shop has no item of this code, or had no price for it then.'

/** "12.5" as 1250 hundredths of a percent. */
function basisPointsOf(text: string): number {
  const [, whole = '', part = ''] = PERCENT.exec(text) ?? []
  const points = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  if (whole === '' || points > BASIS_MOST)
    throw refusal('A margin is percent of the cost, from 0 to 1000, like 4.5.')
  return points
}

/** Of what moves prices by more than its operator may within seven days. */
export const waitsText = (id: string) =>
  `It moves prices by more than you may alone and waits for another person: npm run cli -- approvals approve ${id}\n`

const percent = (basisPoints: number) => `${(basisPoints / 100).toFixed(2)} %`

export const addRuleCommand: OperatorRun = async (ctx, args) => {
  const from = optionOf(args, '--from')
  const { waits, rule } = await explained(
    {
      check_fields:
        'The shop has no such brand, supplier, region or currency; --from has passed already; or a rule for the same goods holds at that time: --replaces <rule> puts this one in its place.',
      changed_meanwhile: NO_RULE,
    },
    changePrices(
      ctx,
      {
        path: 'rule',
        basis_points: basisPointsOf(positionals(args)[0] ?? ''),
        brand: optionOf(args, '--brand'),
        supplier: optionOf(args, '--supplier'),
        region: optionOf(args, '--region'),
        currency: optionOf(args, '--currency'),
        valid_from: from === null ? null : instantOf(from, '--from').toISOString(),
        replaces: optionOf(args, '--replaces'),
      },
      null,
    ),
  )
  process.stdout.write(waits === null ? `${rule}\n` : waitsText(waits))
  return 0
}

export const listRulesCommand: OperatorRun = async (ctx, args) => {
  const rules = await listRules(ctx.db, { all: args.includes('--all') })
  print(args, rules, () =>
    rules.length === 0
      ? 'No rule: prices are those that were set.\n'
      : table(
          ['RULE', 'MARGIN', 'FOR', 'FROM (UTC)', 'UNTIL (UTC)'],
          rules.map((rule) => [
            rule.id,
            percent(rule.basisPoints),
            scopeOf(rule),
            moment(rule.validFrom),
            moment(rule.validUntil),
          ]),
        ),
  )
  return 0
}

function scopeOf({ brand, supplier, region, currency }: MarginRule): string {
  const parts = Object.entries({ brand, supplier, region, currency }).flatMap(([name, code]) =>
    code === null ? [] : [`${name} ${code}`],
  )
  return parts.length === 0 ? 'everything with a cost' : parts.join(', ')
}

export const endRuleCommand: OperatorRun = async (ctx, args) => {
  const [id = ''] = positionals(args)
  if (!UUID.test(id)) throw refusal(NO_RULE)
  const { waits } = await explained(
    { not_found: NO_RULE },
    changePrices(ctx, { path: 'rule_end', id }, null),
  )
  process.stdout.write(
    waits === null
      ? 'It has ended; what was sold by it is still explained by it.\n'
      : waitsText(waits),
  )
  return 0
}

export const ownPriceCommand: OperatorRun = async (ctx, args) => {
  const [code = '', currency = '', amount = ''] = positionals(args)
  const money = amount === 'none' ? null : await readMoney(ctx, amount, currency)
  const minor = money?.minor.toString() ?? null
  const { waits } = await explained(
    { check_fields: NO_ITEM },
    changePrices(ctx, { path: 'own', item: code, currency: currency.toUpperCase(), minor }, null),
  )
  process.stdout.write(
    waits !== null
      ? waitsText(waits)
      : money === null
        ? 'Its price in this currency is worked out again.\n'
        : 'Set, and kept from imports.\n',
  )
  return 0
}

export const withheldCommand: OperatorRun = async (ctx, args) => {
  const items = await listWithheld(ctx.db)
  print(args, items, () =>
    items.length === 0
      ? 'Every price that was set leaves what it has to.\n'
      : table(
          ['ITEM', 'IN'],
          items.map(({ code, currencies }) => [code, currencies.join(', ')]),
        ),
  )
  return 0
}

export const levelCommand: OperatorRun = async (ctx, args) => {
  const [email = '', given = ''] = positionals(args)
  const level = levelOf(given)
  await explained(
    { not_found: `Nobody here has the address ${email}.` },
    setCustomerLevel(ctx, email, level),
  )
  process.stdout.write(
    level === 0
      ? `${email} pays retail prices.\n`
      : `${email} pays the prices of level ${level}.\n`,
  )
  return 0
}

function levelOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw refusal('A customer level is a whole number from 0 to 999.')
  return Number(text)
}

export const explainPriceCommand: OperatorRun = async (ctx, args) => {
  const [code = ''] = positionals(args)
  const currency = (optionOf(args, '--currency') ?? 'USD').toUpperCase()
  const level = levelOf(optionOf(args, '--level') ?? '0')
  const at = optionOf(args, '--at')
  const explainedPrice = await explainPrice(ctx.db, code, {
    currency,
    level,
    at: at === null ? ctx.now() : instantOf(at, '--at'),
  })
  if (!explainedPrice) throw refusal(`${NO_ITEM} Or it has no currency ${currency}.`)
  const { priced } = explainedPrice
  const steps = storedSteps(priced.steps)
  print(args, { code, currency, minor: priced.minor, withheld: priced.withheld, steps }, () => {
    const end =
      priced.minor === null
        ? `Not sold: ${WITHHELD[priced.withheld ?? 'no_rate']}.\n`
        : `Price: ${toMajor(priced.minor, explainedPrice.currency.minorUnits)} ${currency}\n`
    return `${table(['STEP', 'COMES TO (MINOR UNITS)', 'BY'], steps.map(stepRow))}${end}`
  })
  return 0
}

const WITHHELD = {
  no_rate: 'no exchange rate is known',
  stale_rate: 'an exchange rate is too old',
  below_floor: 'too little would remain over its cost',
}

function stepRow({ kind, minor, ...more }: StoredStep): string[] {
  const by = Object.entries(more)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`)
  return [kind, minor, by.join(', ')]
}
