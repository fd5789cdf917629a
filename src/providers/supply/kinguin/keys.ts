import { z } from 'zod'
import { secret } from '#platform/secret.ts'
import type { SupplyCard } from '../provider.ts'
import { cleanText } from '../wire/text.ts'

const key = z.object({ id: z.string(), serial: z.string().min(1), type: z.string() })
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'])

/** A code as text, or a picture of one. Null for what is neither: a key must be all of what was bought. */
export function keyOf(json: unknown): SupplyCard | null {
  const told = key.safeParse(json).data
  if (!told) return null
  const bare = { id: cleanText(told.id, 200), pin: null, serial: null, url: null, expiresOn: null }
  if (told.type === 'text/plain') return { ...bare, code: secret(told.serial), image: null }
  if (!IMAGES.has(told.type) || !z.base64().safeParse(told.serial).success) return null
  return {
    ...bare,
    code: null,
    image: { type: told.type, bytes: Buffer.from(told.serial, 'base64') },
  }
}
