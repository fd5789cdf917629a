import { setTaxClass, setTaxRate } from '#features/goods/tax/commands.ts'
import { listTaxClasses, listTaxRates } from '#features/goods/tax/queries.ts'
import {
  BASIS_MAX,
  TAX_CLASSES,
  TAXED_CLASSES,
  type TaxClass,
  type TaxedClass,
} from '#features/goods/tax/rules.ts'
import { refusal } from '#platform/refusal.ts'
import { optionOf, type OperatorRun } from './commands.ts'
import { instantOf } from './instant-argument.ts'
import { explained, moment, positionals, print, table } from './table.ts'

const PERCENT = /^(\d{1,3})(?:\.(\d{1,2}))?$/
const ALL = 'all'
const percent = (basisPoints: number) => `${(basisPoints / 100).toFixed(2)} %`

export const listTaxesCommand: OperatorRun = async (ctx, args) => {
  const [classes, rates] = await Promise.all([listTaxClasses(ctx.db, null), listTaxRates(ctx.db)])
  print(args, { classes, rates }, () =>
    classes.length === 0 && rates.length === 0
      ? 'Nothing is said of taxes: no order tells any.\n'
      : `${table(
          ['PRODUCT', 'COUNTRY', 'CLASS', 'SET BY', 'AT (UTC)'],
          classes.map((row) => [
            row.product ?? ALL,
            row.country ?? ALL,
            row.taxClass,
            row.setBy,
            moment(row.setAt),
          ]),
        )}\n${table(
          ['COUNTRY', 'CLASS', 'RATE', 'FROM (UTC)', 'SET BY'],
          rates.map((row) => [
            row.country,
            row.taxClass,
            percent(row.basisPoints),
            moment(row.validFrom),
            row.setBy,
          ]),
        )}`,
  )
  return 0
}

export const setTaxClassCommand: OperatorRun = async (ctx, args) => {
  const [product = '', country = '', word = ''] = positionals(args)
  const taxClass = word === 'unset' ? null : TAX_CLASSES.find((known) => known === word)
  if (taxClass === undefined)
    throw refusal(`A class is one of ${TAX_CLASSES.join(', ')}, or unset.`)
  await explained(
    { check_fields: 'The shop has no such product or country; "all" stands for all of them.' },
    setTaxClass(
      ctx,
      {
        product: product === ALL ? null : product,
        country: country === ALL ? null : country,
        taxClass: taxClass satisfies TaxClass | null,
      },
      null,
    ),
  )
  return 0
}

export const setTaxRateCommand: OperatorRun = async (ctx, args) => {
  const [country = '', word = '', rate = ''] = positionals(args)
  const taxClass = TAXED_CLASSES.find((known) => known === word)
  if (taxClass === undefined) throw refusal(`A rate is of ${TAXED_CLASSES.join(' or ')}.`)
  const [, whole = '', part = ''] = PERCENT.exec(rate) ?? []
  const basisPoints = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  if (whole === '' || basisPoints > BASIS_MAX)
    throw refusal('A rate is a percentage from 0 to 100, like 19 or 5.5.')
  const from = optionOf(args, '--from')
  await explained(
    { check_fields: 'The shop has no such country, or --from has passed already.' },
    setTaxRate(
      ctx,
      {
        country,
        taxClass: taxClass satisfies TaxedClass,
        basisPoints,
        from: from === null ? null : instantOf(from, '--from'),
      },
      null,
    ),
  )
  return 0
}
