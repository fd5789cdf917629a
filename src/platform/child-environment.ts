import { SERVICE_SETTING_NAMES, SETTING_NAMES, type Config } from './config.ts'
import { serviceEnvironment } from './service-settings.ts'
import { paymentEnvironment } from './payment-config.ts'

/** What the machine gave this process, for programs started by it. */
export function inheritedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

/**
 * For one of the shop's own processes: no setting but where its files are, how much it logs, and what is given; no address, password or
 * key that it has no use for.
 */
export function bareEnvironment(
  config: Pick<Config, 'dataDirectory' | 'logLevel'>,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const inherited = inheritedEnvironment()
  for (const name of [...SETTING_NAMES, ...SERVICE_SETTING_NAMES]) delete inherited[name]
  return { ...inherited, DATA_DIR: config.dataDirectory, LOG_LEVEL: config.logLevel, ...given }
}

/** The environment for a child process that shall read exactly this configuration, and nothing left to defaults. */
export function environmentOf(config: Config): Record<string, string> {
  return bareEnvironment(config, {
    PORT: String(config.port),
    HOST: config.host,
    ...(config.backupDirectory ? { BACKUP_DIR: config.backupDirectory } : {}),
    ...(config.databaseUrl ? { DATABASE_URL: config.databaseUrl.reveal() } : {}),
    PUBLIC_URL: config.publicUrl,
    ROLE: config.role,
    DEMO: config.isDemoPublic ? 'public' : config.demo ? '1' : '0',
    SHOP_TIME_ZONE: config.shopTimeZone,
    RATE_LIMITS: config.rateLimits ? 'on' : 'off',
    ...(config.secretKey ? { SECRET_KEY: config.secretKey.reveal() } : {}),
    ...(config.vaultKeys ? { VAULT_KEYS: config.vaultKeys.reveal() } : {}),
    TRUSTED_PROXIES: config.trustedProxies,
    MCP: config.mcp ? 'on' : 'off',
    WEBHOOK_LOOPBACK: config.webhookLoopback ? 'allow' : 'off',
    STRICT_PASSWORDS: config.strictPasswords ? '1' : '0',
    ...serviceEnvironment(config.identity.services),
    ...(config.identity.sandboxSecret
      ? { SANDBOX_IDENTITY_SECRET: config.identity.sandboxSecret.reveal() }
      : {}),
    ...serviceEnvironment(config.payment.services),
    ...paymentEnvironment(config.payment),
    ...serviceEnvironment({ ...config.supply.services, addresses: config.supply.apiUrls }),
    ...(config.supply.sandboxSecret
      ? { SANDBOX_SUPPLY_SECRET: config.supply.sandboxSecret.reveal() }
      : {}),
    ...serviceEnvironment(config.rates),
    ...serviceEnvironment(config.screening),
    ...(config.smtpUrl ? { SMTP_URL: config.smtpUrl.reveal() } : {}),
    MAIL_FROM: config.mailFrom,
    ...(config.twilio
      ? {
          TWILIO_ACCOUNT_SID: config.twilio.accountSid,
          TWILIO_AUTH_TOKEN: config.twilio.authToken.reveal(),
          TWILIO_FROM: config.twilio.from,
        }
      : {}),
    SANDBOX_PORTS: Object.entries(config.sandboxPorts)
      .map(([name, port]) => `${name}:${port}`)
      .join(','),
  })
}
