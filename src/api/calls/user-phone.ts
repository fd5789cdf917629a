import { z } from 'zod'
import { confirmPhone, removePhone, requestPhoneCode } from '#features/people/phone/commands.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { readMobileNumber } from '#platform/mobile-number.ts'
import { personalCall, type SignedInCaller } from '../personal/call.ts'

/** As long as anything people type for a number. */
const typedNumber = z.string().max(60)
const countryCode = z
  .string()
  .max(2)
  .meta({
    description: 'ISO 3166-1 alpha-2; not needed for a number that starts with +',
    examples: ['ID'],
  })

interface TypedNumber {
  readonly typed: string
  readonly country: string | undefined
  readonly field: string
}

/** Has a code sent to the number typed in `user/send_code`. */
export async function sendPhoneCode(caller: SignedInCaller, number: TypedNumber): Promise<void> {
  const { ctx, person, services, visitor } = caller
  const { isSmsPossible: isPossible } = services
  if (!isPossible) throw new AppError('sms_unavailable')
  await requestPhoneCode(ctx, person, {
    mobile: mobileOf(caller, number),
    network: visitor.network,
    isPossible,
    field: number.field,
  })
}

function mobileOf({ shop }: SignedInCaller, { typed, country, field }: TypedNumber): string {
  if (typed.trim() === '') throw fieldError(field, 'required')
  const chosen = country ? shop.countryByCode.get(country.toUpperCase()) : null
  if (chosen === undefined) throw fieldError('country', 'country_unknown')
  const mobile = readMobileNumber(typed, chosen?.code ?? null)
  if (mobile === null) throw fieldError(field, 'phone_format')
  return mobile.international
}

export const userPhone = personalCall({
  path: 'user/phone',
  method: 'POST',
  summary: 'Add, change or remove the phone number',
  description:
    'With the code that `user/send_code {type: "phone"}` sent to the same number it becomes the number of the account; `{remove: true}` removes it.',
  access: 'own-hand',
  limit: 'code',
  body: z.strictObject({
    mobile: typedNumber.optional().meta({ examples: ['0812 3456 7890'] }),
    country: countryCode.optional(),
    code: z
      .string()
      .max(20)
      .optional()
      .meta({ examples: ['123456'] }),
    remove: z.union([z.literal(true), z.literal('true')]).optional(),
  }),
  data: z
    .object({
      mobile: z.string().meta({
        description: 'As the whole world dials it (E.164); empty without one',
        examples: ['+6281234567890'],
      }),
    })
    .meta({ id: 'PhoneNumber' }),
  example: { mobile: '0812 3456 7890', country: 'ID', code: '123456' },
  async answer(caller, { mobile: typed = '', country, code = '', remove }) {
    const { ctx, person } = caller
    if (remove) {
      if (typed !== '' || code !== '')
        throw new AppError(
          'invalid_input',
          {},
          { fields: [{ field: 'remove', reason: 'not_allowed' }] },
        )
      await removePhone(ctx, person)
      return { mobile: '' }
    }
    const mobile = mobileOf(caller, { typed, country, field: 'mobile' })
    if (code.trim() === '') throw fieldError('code', 'required')
    await confirmPhone(ctx, person, { mobile, code })
    return { mobile }
  },
})
