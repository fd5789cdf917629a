import { z } from 'zod'

const fields = {
  country: z.string().meta({ description: 'ISO 3166-1 alpha-2', examples: ['ID'] }),
  region: z.string().meta({
    description: 'State, province …; empty where the country names none',
    examples: ['Jawa Barat'],
  }),
  first_name: z.string().meta({ examples: ['Rizky'] }),
  surname: z.string().meta({ examples: ['Pratama'] }),
  address: z
    .string()
    .meta({ description: 'House, street, town', examples: ['Jalan Braga 10, Bandung'] }),
  postal_code: z.string().meta({
    description: "In the country's writing; empty where there is none",
    examples: ['40111'],
  }),
}

/** An address as it is kept (specification §3). */
export const billingAddressShape = z
  .object({
    id: z.string().meta({ examples: ['pZ1xqk0bRk2v8k4y6c9w1A'] }),
    ...fields,
    country_name: z
      .string()
      .meta({ description: "In the caller's language", examples: ['Indonesia'] }),
    is_default: z.boolean().meta({ description: 'One of them is, when there is any' }),
  })
  .meta({ id: 'BillingAddress' })
export type BillingAddressView = z.infer<typeof billingAddressShape>

const formFieldShape = z
  .object({
    name: z.enum(['country', 'region', 'first_name', 'surname', 'address', 'postal_code']),
    label: z.string().meta({ description: "In the caller's language", examples: ['Prefecture'] }),
    hint: z
      .string()
      .meta({ description: 'Empty when there is none', examples: ['For example 100-0001'] }),
    required: z.boolean(),
    max: z.int().meta({ description: 'Greatest length in characters', examples: [100] }),
    autocomplete: z
      .string()
      .meta({ description: 'What browsers fill it by (HTML)', examples: ['postal-code'] }),
    digits_only: z.boolean().meta({ description: 'Whether a keyboard of digits is enough' }),
  })
  .meta({ id: 'AddressFormField' })
export type AddressFormField = z.infer<typeof formFieldShape>

export const addressFormShape = z
  .object({
    country: fields.country,
    fields: z.array(formFieldShape).meta({ description: "In the country's order" }),
  })
  .meta({ id: 'AddressForm', description: 'What an address in a country is made of' })
export type AddressFormView = z.infer<typeof addressFormShape>
