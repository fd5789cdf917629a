import { z } from 'zod'
import { amountProblem, findItem, readFields } from '#features/buying/offer/queries.ts'
import type { Item, Product } from '#features/goods/catalogue/rules.ts'
import { problemAt } from '#features/supply/account-check/flows.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'
import type { Money } from '#kernel/money.ts'
import { personalCall, type Caller } from '../personal/call.ts'
import type { Services } from '../personal/services.ts'
import { accountFieldsShape, minorOf, wantedLineShape } from './order-create.ts'

export const checkedShape = z
  .object({
    state: z.enum(['valid', 'invalid', 'unchecked']).meta({
      description:
        '`unchecked`: no supplier of the item checks accounts, or none answered in time; it may be bought unless `account_check` of goods/detail is `must`',
    }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'What the supplier calls the player', examples: ['Blue Lion'] }),
    expires_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: 'Until when the answer is remembered; null where there is none',
        examples: ['2026-11-26T12:10:00.000Z'],
      }),
    faults: z
      .array(z.object({ field: z.string().meta({ examples: ['user_id'] }), msg: z.string() }))
      .meta({ description: "Why it cannot be bought for, at its field, in the caller's language" }),
  })
  .meta({ id: 'CheckedAccount' })

export const accountValidate = personalCall({
  path: 'account/validate',
  method: 'POST',
  summary: 'Ask whether an account can be credited',
  description:
    'The supplier of the item is asked about the account (a player, a phone), and waited for at most five seconds; its answer is remembered for minutes. Of goods that are sold at any amount it is asked about `amount`, where it tells amounts apart, else about their face. An order asks the same. ' +
    'Codes: 2422 with a fault at each field (`fields.<key>`, `amount`) that breaks the rules of the goods.',
  access: 'anyone',
  limit: 'costly',
  body: z.strictObject({
    item: wantedLineShape.shape.item,
    fields: accountFieldsShape,
    amount: wantedLineShape.shape.amount,
  }),
  data: checkedShape,
  example: {
    item: 'game:mobile-legends:global:50-plus-5',
    fields: { user_id: '81234567', zone_id: '2233' },
  },
  answer: (caller, asked) => checkedAccount(caller, asked, caller.language.code),
})

interface AskedAccount {
  readonly item: string
  readonly fields: Readonly<Record<string, string>>
  /** In minor units of the goods' face currency. */
  readonly amount?: number | undefined
}

/** An amount may be left out: an account is there or not. Throws 'check_fields' for one that is not sold. */
function amountAsked(
  shop: Caller['shop'],
  language: LanguageCode,
  { product, item }: { readonly product: Product; readonly item: Item },
  minor: bigint | null,
): Money | null {
  if (minor === null) return null
  const problem = amountProblem(shop, language, { product, free: item.free }, minor)
  if (problem) throw new AppError('check_fields', {}, { fields: [{ field: 'amount', ...problem }] })
  return product.faceCurrency === null ? null : { minor, currency: product.faceCurrency }
}

/** What is known of an account that an item would be credited to. Throws 'check_fields' for what breaks the rules of the goods. */
export async function checkedAccount(
  {
    ctx,
    shop,
    services,
    t,
  }: Pick<Caller, 'ctx' | 'shop' | 't'> & {
    readonly services: Pick<Services, 'checkAccount'>
  },
  { item, fields, amount: asked }: AskedAccount,
  language: LanguageCode,
): Promise<z.input<typeof checkedShape>> {
  const found = findItem(shop, item)
  if (!found) throw fieldError('item', 'not_sold')
  const amount = amountAsked(shop, language, found, minorOf(asked))
  const read = readFields(shop, found.product, fields)
  if ('problems' in read)
    throw new AppError(
      'check_fields',
      {},
      {
        fields: read.problems.map(({ key, ...problem }) => ({
          field: `fields.${key}`,
          ...problem,
        })),
      },
    )
  const told = await services.checkAccount(ctx, {
    product: found.product,
    item: found.item.id,
    fields: read.values,
    amount,
  })
  const problem = problemAt(found.product, told)
  return {
    state: told.state,
    name: told.state === 'valid' ? told.name : null,
    expires_at: told.state === 'unchecked' ? null : told.until.toISOString(),
    faults: problem ? [{ field: problem.key, msg: t(`error.field.${problem.reason}`) }] : [],
  }
}
