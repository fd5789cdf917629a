import { z } from 'zod'
import { setTaxClass, setTaxRate } from '#features/goods/tax/commands.ts'
import {
  countTouched,
  dayBegins,
  isCountry,
  isProduct,
  listTaxClasses,
  listTaxRates,
  readTaxTable,
  taxVersion,
} from '#features/goods/tax/queries.ts'
import {
  BASIS_MAX,
  classOf,
  rateOf,
  TAX_CLASSES,
  TAXED_CLASSES,
} from '#features/goods/tax/rules.ts'
import { makeInvoice } from '#features/buying/sales-invoice/flows.ts'
import { dayIn } from '#kernel/day.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { StreamedFile } from '../streamed-file.ts'
import { moment, nothing, publicId } from './shapes.ts'

const product = z
  .string()
  .min(1)
  .max(200)
  .nullable()
  .meta({ description: 'Code of a product; null for all of them', examples: ['steam-us'] })
const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ examples: ['DE'] })
const anyCountry = country.nullable()
const taxClass = z.enum(TAX_CLASSES)
const taxedClass = z.enum(TAXED_CLASSES)
const basisPoints = z.int().min(0).max(BASIS_MAX)
const version = z
  .string()
  .max(40)
  .meta({ description: 'What taxes were at when they were read', examples: ['none'] })
const LISTED = 1_000

const taxList = operatorCall({
  path: 'console/money/tax',
  summary:
    'How goods are taxed: classes by product and country, and rates with the days from which they hold',
  description:
    'Prices include their tax. Of a product in a country holds what was said of both, else of the product, else of the country, else of everything.',
  body: z.object({}),
  data: z.object({
    version,
    classes: z.array(
      z.object({ product, country: anyCountry, class: taxClass, set_by: z.string(), set: moment }),
    ),
    rates: z.array(
      z.object({
        country,
        class: taxedClass,
        basis_points: basisPoints,
        valid_from: moment.nullable(),
        set_by: z.string(),
        set: moment,
      }),
    ),
  }),
  example: {},
  async answer({ ctx }) {
    const [at, classes, rates] = await Promise.all([
      taxVersion(ctx.db),
      listTaxClasses(ctx.db, LISTED),
      listTaxRates(ctx.db),
    ])
    return {
      version: at,
      classes: classes.map((row) => ({
        product: row.product,
        country: row.country,
        class: row.taxClass,
        set_by: row.setBy,
        set: row.setAt.toISOString(),
      })),
      rates: rates.map((row) => ({
        country: row.country,
        class: row.taxClass,
        basis_points: row.basisPoints,
        valid_from: row.validFrom?.toISOString() ?? null,
        set_by: row.setBy,
        set: row.setAt.toISOString(),
      })),
    }
  },
})

const taxEffect = operatorCall({
  path: 'console/money/tax/effect',
  summary: 'What a class would change: how many products, and what they are taxed by now',
  body: z.object({
    product: z.string().max(200).optional(),
    country: country.optional(),
  }),
  data: z.object({
    products: z.number(),
    /** Of those, how many something else was said of, which goes before. */
    apart: z.number(),
    class: taxClass.nullable(),
    basis_points: z.number().nullable(),
  }),
  example: { product: 'steam-us', country: 'DE' },
  async answer({ ctx }, given) {
    const [of, at] = [given.product ?? null, given.country ?? null]
    if (of !== null && !(await isProduct(ctx.db, of))) throw fieldError('product', 'not_allowed')
    if (at !== null && !(await isCountry(ctx.db, at)))
      throw fieldError('country', 'country_unknown')
    const [counted, table] = await Promise.all([
      countTouched(ctx.db, { product: of, country: at }),
      readTaxTable(ctx.db),
    ])
    const now = classOf(table, of ?? '', at)
    return {
      ...counted,
      class: now,
      basis_points: now === null || at === null ? null : rateOf(table, at, now, ctx.now()),
    }
  },
})

const taxClassSet = operatorCall({
  path: 'console/money/tax/class',
  summary: 'Say how a product is taxed in a country, from the next order on',
  description: 'What was ordered stays as it was. Null as class takes back what was said.',
  body: z.strictObject({
    product,
    country: anyCountry,
    class: taxClass.nullable(),
    version: version.optional(),
  }),
  data: nothing,
  example: { product: 'steam-us', country: 'DE', class: 'single_purpose', version: 'none' },
  async answer({ ctx }, given) {
    await setTaxClass(
      ctx,
      { product: given.product, country: given.country, taxClass: given.class },
      given.version ?? null,
    )
    return {}
  },
})

const taxRateSet = operatorCall({
  path: 'console/money/tax/rate',
  summary: 'Say what a class is taxed at in a country, from a day of the shop on',
  description: 'Rates from before stay known. Without a day it holds from now on.',
  body: z.strictObject({
    country,
    class: taxedClass,
    rate: basisPoints.meta({ description: 'Hundredths of a percent', examples: [1_900] }),
    from: z.iso.date().optional(),
    version: version.optional(),
  }),
  data: nothing,
  example: { country: 'DE', class: 'service', rate: 1_900, from: '2027-01-01', version: 'none' },
  async answer({ ctx, services: { timeZone } }, given) {
    const today = dayIn(timeZone, ctx.now())
    const isLater = given.from !== undefined && given.from !== today
    await setTaxRate(
      ctx,
      {
        country: given.country,
        taxClass: given.class,
        basisPoints: given.rate,
        from: isLater ? await dayBegins(ctx.db, given.from ?? today, timeZone) : null,
      },
      given.version ?? null,
    )
    return {}
  },
})

const PDF = 'application/pdf'
const invoiceFile = operatorCall({
  path: 'console/money/invoice',
  summary: 'An invoice or credit note of an order, as a PDF in the operator’s language',
  body: z.object({ id: publicId }),
  data: z.object({}),
  file: PDF,
  example: { id: 'Zt3qN0f5Qy2mB7sJ1kVx9A' },
  async answer({ ctx, services, language }, { id }) {
    const { name, content } = await makeInvoice(
      ctx,
      {
        language,
        timeZone: services.timeZone,
        shopName: services.shopName(),
        drawReceipt: services.drawReceipt,
        accountId: null,
      },
      id,
    )
    return new StreamedFile(name, PDF, whole(content))
  },
})

async function* whole(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

export const MONEY_TAX_CALLS = [taxList, taxEffect, taxClassSet, taxRateSet, invoiceFile] as const
