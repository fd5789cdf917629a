import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import { clientId, identityService } from '../service.ts'

const appleName = z
  .string()
  .regex(/^[A-Z0-9]{10}$/, 'must be 10 upper case letters and digits, as Apple shows it')

export const apple = identityService({
  code: 'apple',
  settings: {
    APPLE_CLIENT_ID: clientId,
    APPLE_TEAM_ID: appleName,
    APPLE_KEY_ID: appleName,
    APPLE_PRIVATE_KEY: z
      .string()
      .transform(withLineBreaks)
      .refine(
        isP256Key,
        'must be the content of the .p8 file that Apple gave you; line breaks may be written as \\n',
      )
      .transform(secret),
  },
  open: async (settings, now) => {
    const { appleProvider } = await import('./apple.ts')
    return appleProvider(
      {
        clientId: settings.APPLE_CLIENT_ID,
        teamId: settings.APPLE_TEAM_ID,
        keyId: settings.APPLE_KEY_ID,
        privateKey: settings.APPLE_PRIVATE_KEY,
      },
      now,
    )
  },
})

/** A file's content in one line of an .env file. */
function withLineBreaks(text: string): string {
  return text.replaceAll('\\n', '\n').trim()
}

function isP256Key(pem: string): boolean {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}
