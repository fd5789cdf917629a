import { z } from 'zod'
import { secret, type Secret } from './secret.ts'

/** What services that take payments gave the shop; null where one is not offered. */
export interface PaymentSettings {
  readonly stripe: StripeSettings | null
  readonly paypal: PaypalSettings | null
  /** What payers are told of the shop's bank account, in lines. Null: transfers are not offered. */
  readonly bankTransferDetails: string | null
  /** The demo's own payment service; null outside the demo. */
  readonly sandbox: SandboxPaymentSettings | null
}

export interface StripeSettings {
  readonly secretKey: Secret
  /** Any of them may have signed a notice: two while one is being replaced. */
  readonly webhookSecrets: readonly Secret[]
}

export interface PaypalSettings {
  readonly clientId: string
  readonly clientSecret: Secret
  readonly webhookId: string
  readonly environment: 'live' | 'sandbox'
}

export interface SandboxPaymentSettings {
  /** Shared by the shop and the service. */
  readonly secret: Secret
  /** Where the service reaches the shop on this machine. */
  readonly shopUrl: string
}

type Environment = Readonly<Record<string, string | undefined>>

export const paymentSettings = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(
      /^[rs]k_(?:live|test)_[A-Za-z0-9]{8,250}$/,
      'must be a secret or restricted key, as it begins with sk_ or rk_',
    )
    .transform(secret)
    .optional(),
  STRIPE_WEBHOOK_SECRETS: z
    .string()
    .regex(
      /^\s*whsec_[A-Za-z0-9+/=]{8,250}(?:\s*,\s*whsec_[A-Za-z0-9+/=]{8,250})*\s*$/,
      'must be signing secrets that begin with whsec_, separated by commas',
    )
    .transform((text) => text.split(',').map((part) => secret(part.trim())))
    .optional(),
  PAYPAL_CLIENT_ID: z.string().max(200).optional(),
  PAYPAL_CLIENT_SECRET: z.string().max(200).transform(secret).optional(),
  PAYPAL_WEBHOOK_ID: z.string().max(200).optional(),
  PAYPAL_ENVIRONMENT: z
    .enum(['live', 'sandbox'], { error: 'must be live or sandbox' })
    .default('live'),
  BANK_TRANSFER_DETAILS: z
    .string()
    .max(1_000, 'must be at most 1000 characters long')
    .transform((text) => text.replaceAll('\\n', '\n').trim())
    .optional(),
  SANDBOX_PAYMENT_SECRET: z.string().min(32).max(200).transform(secret).optional(),
  SANDBOX_SHOP_URL: z.url().optional(),
}

type Values = z.infer<z.ZodObject<typeof paymentSettings>>

const SETS: readonly (readonly (keyof Values)[])[] = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS'],
  ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'],
]

export const PAYMENT_SECRETS: readonly string[] = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'PAYPAL_CLIENT_SECRET',
  'SANDBOX_PAYMENT_SECRET',
]

/** A sentence for every service that was given only in part. */
export function halfPaymentSets(given: Environment): string[] {
  return SETS.flatMap((names) => {
    const absent = names.filter((name) => !given[name])
    const present = names.filter((name) => given[name])
    return absent.length === 0 || present.length === 0
      ? []
      : [
          `${present.join(', ')} ${present.length === 1 ? 'needs' : 'need'} ${absent.join(', ')} beside ${present.length === 1 ? 'it' : 'them'}.`,
        ]
  })
}

/** @param isDemo only a demo has a payment service of its own, and a sample of a bank account where none is given */
export function paymentSettingsOf(values: Values, isDemo: boolean): PaymentSettings {
  return Object.freeze({
    stripe:
      values.STRIPE_SECRET_KEY && values.STRIPE_WEBHOOK_SECRETS
        ? { secretKey: values.STRIPE_SECRET_KEY, webhookSecrets: values.STRIPE_WEBHOOK_SECRETS }
        : null,
    paypal:
      values.PAYPAL_CLIENT_ID && values.PAYPAL_CLIENT_SECRET && values.PAYPAL_WEBHOOK_ID
        ? {
            clientId: values.PAYPAL_CLIENT_ID,
            clientSecret: values.PAYPAL_CLIENT_SECRET,
            webhookId: values.PAYPAL_WEBHOOK_ID,
            environment: values.PAYPAL_ENVIRONMENT,
          }
        : null,
    bankTransferDetails: values.BANK_TRANSFER_DETAILS ?? (isDemo ? SAMPLE_ACCOUNT : null),
    sandbox:
      isDemo && values.SANDBOX_PAYMENT_SECRET && values.SANDBOX_SHOP_URL
        ? { secret: values.SANDBOX_PAYMENT_SECRET, shopUrl: values.SANDBOX_SHOP_URL }
        : null,
  })
}

/** The IBAN is the example of the standard's own registry: it belongs to nobody, and the text says so. */
const SAMPLE_ACCOUNT =
  'SAMPLE ONLY, do not send money\nBank: Sample Bank\nAccount holder: Sample Shop\nIBAN: GB33 BUKB 2020 1555 5555 55'

/** The same settings as environment variables, for a child process. */
export function paymentEnvironment({
  stripe,
  paypal,
  bankTransferDetails,
  sandbox,
}: PaymentSettings): Record<string, string> {
  return {
    ...(stripe
      ? {
          STRIPE_SECRET_KEY: stripe.secretKey.reveal(),
          STRIPE_WEBHOOK_SECRETS: stripe.webhookSecrets.map((key) => key.reveal()).join(','),
        }
      : {}),
    ...(paypal
      ? {
          PAYPAL_CLIENT_ID: paypal.clientId,
          PAYPAL_CLIENT_SECRET: paypal.clientSecret.reveal(),
          PAYPAL_WEBHOOK_ID: paypal.webhookId,
          PAYPAL_ENVIRONMENT: paypal.environment,
        }
      : {}),
    ...(bankTransferDetails === null ? {} : { BANK_TRANSFER_DETAILS: bankTransferDetails }),
    ...(sandbox
      ? { SANDBOX_PAYMENT_SECRET: sandbox.secret.reveal(), SANDBOX_SHOP_URL: sandbox.shopUrl }
      : {}),
  }
}
