import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

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
export type KeptKeys = z.infer<typeof shape>

/** Keys of the provider, made at its first start and kept for this user alone, so that a restart changes nothing. */
export function keptKeys(folder: string): KeptKeys {
  const file = join(folder, 'keys.json')
  if (existsSync(file)) return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
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
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(made), { mode: 0o600 })
  renameSync(draft, file)
  return made
}
