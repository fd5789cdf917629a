import type { Services } from '#api/personal/services.ts'
import { AppError } from '#kernel/error.ts'

/** What calls use beside the database, for tests of calls: no limits, and no proof is right. */
export const testServices: Services = {
  publicUrl: 'https://shop.example',
  isHttps: true,
  timeZone: 'UTC',
  isDemo: false,
  strictPasswords: false,
  prove: () => Promise.reject(new AppError('proof_needed')),
  takeShare: () => 0,
}
