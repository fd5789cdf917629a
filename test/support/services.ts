import type { Services } from '#api/personal/services.ts'
import { testVaultKeys } from './buying.ts'

/** What calls use beside the database, for tests of calls: no limits. */
export const testServices: Services = {
  publicUrl: 'https://shop.example',
  isHttps: true,
  timeZone: 'UTC',
  isDemo: false,
  strictPasswords: false,
  isSmsPossible: true,
  identityProviders: new Map(),
  payments: { providers: new Map(), publicUrl: 'https://shop.example', ask: async () => {} },
  vaultKeys: testVaultKeys,
  takeShare: () => 0,
}
