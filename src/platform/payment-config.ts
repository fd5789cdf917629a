import { z } from 'zod'
import { secret, type Secret } from './secret.ts'
import type { GivenSettings, ReadSettings, ServiceSettings } from './service-settings.ts'

/** How the shop is paid. */
export interface PaymentSettings {
  /** Outside services that the environment sets up. */
  readonly services: ServiceSettings
  /** Where services are asked that are not asked at their own address, by the setting that says so. */
  readonly apiUrls: GivenSettings
  /** What payers are told of the shop's bank account, in lines. Null: transfers are not offered. */
  readonly bankTransferDetails: string | null
  /** The demo's own payment service; null outside the demo. */
  readonly sandbox: SandboxPaymentSettings | null
}

export interface SandboxPaymentSettings {
  /** Shared by the shop and the service. */
  readonly secret: Secret
  /** Where the service reaches the shop on this machine. */
  readonly shopUrl: string
}

export const paymentSettings = {
  BANK_TRANSFER_DETAILS: z
    .string()
    .max(1_000, 'must be at most 1000 characters long')
    .transform((text) => text.replaceAll('\\n', '\n').trim())
    .optional(),
  SANDBOX_PAYMENT_SECRET: z.string().min(32).max(200).transform(secret).optional(),
  SANDBOX_SHOP_URL: z.url().optional(),
}

type Values = z.infer<z.ZodObject<typeof paymentSettings>>

/** The IBAN is the example of the standard's own registry: it belongs to nobody, and the text says so. */
const SAMPLE_ACCOUNT =
  'SAMPLE ONLY, do not send money\nBank: Sample Bank\nAccount holder: Sample Shop\nIBAN: GB33 BUKB 2020 1555 5555 55'

/** @param isDemo only a demo has a payment service of its own, and a sample of a bank account where none is given */
export function paymentSettingsOf(
  values: Values,
  { settings: services, apiUrls }: ReadSettings,
  isDemo: boolean,
): PaymentSettings {
  return Object.freeze({
    services,
    apiUrls,
    bankTransferDetails: values.BANK_TRANSFER_DETAILS ?? (isDemo ? SAMPLE_ACCOUNT : null),
    sandbox:
      isDemo && values.SANDBOX_PAYMENT_SECRET && values.SANDBOX_SHOP_URL
        ? { secret: values.SANDBOX_PAYMENT_SECRET, shopUrl: values.SANDBOX_SHOP_URL }
        : null,
  })
}

/** The shop's own part of them as environment variables, for a child process. */
export function paymentEnvironment({
  apiUrls,
  bankTransferDetails,
  sandbox,
}: PaymentSettings): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(apiUrls).map(([name, value]) => [name, value.reveal()])),
    ...(bankTransferDetails === null ? {} : { BANK_TRANSFER_DETAILS: bankTransferDetails }),
    ...(sandbox
      ? { SANDBOX_PAYMENT_SECRET: sandbox.secret.reveal(), SANDBOX_SHOP_URL: sandbox.shopUrl }
      : {}),
  }
}
