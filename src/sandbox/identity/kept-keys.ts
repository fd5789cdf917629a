import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceSecretFile } from '#platform/secret-file.ts'

const shape = z.object({
  signing: z.looseObject({
    kty: z.literal('RSA'),
    kid: z.string(),
    n: z.string(),
    e: z.string(),
    d: z.string(),
    p: z.string(),
    q: z.string(),
    dp: z.string(),
    dq: z.string(),
    qi: z.string(),
  }),
  cookies: z.array(z.string().min(32)).min(1),
})
export type SigningKeys = z.infer<typeof shape>

/**
 * Keys of the provider, made at its first start and kept for this user alone, so that a restart changes nothing. A file that a crash has
 * cut short is replaced: whoever was just signing in begins again.
 */
export function signingKeys(folder: string): SigningKeys {
  const file = join(folder, 'keys.json')
  if (existsSync(file)) {
    const kept = keysIn(file)
    if (kept) return kept
    process.stderr.write(`identity sandbox: ${file} holds no keys, new ones are made\n`)
  }
  const made = shape.parse({
    signing: {
      ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
      kid: randomUUID(),
      use: 'sig',
      alg: 'RS256',
    },
    cookies: [randomBytes(32).toString('base64url')],
  })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceSecretFile(file, JSON.stringify(made))
  return made
}

function keysIn(file: string): SigningKeys | null {
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
