import { drawReceipt } from '#features/buying/receipt/engine/draw.ts'
import type { Services } from '#api/personal/services.ts'
import { readPicture } from '#features/goods/upload/pipeline/read-picture.ts'
import { testVault } from './buying.ts'

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
  drawReceipt,
  // No supplier is there to be asked.
  askOperator: async () => null,
  readUpload: readPicture,
  vault: testVault,
  checkAccount: async () => ({ state: 'unchecked' }),
  takeShare: () => 0,
}
