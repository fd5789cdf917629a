import { z } from 'zod'
import { readSetting } from '#features/base/setting/queries.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import type { Keys } from '#platform/keys.ts'
import { SCHEMES, type Scheme, type Theme } from './rules.ts'
import { themeSetting, themeShape } from './schema.ts'

/** How the shop looks now, for what is no page of it. */
export const themeOf = (db: Db) => (): Promise<Theme> => readSetting(db, themeSetting)

/** A theme as somebody looks at it before it is kept, in one of its schemes. */
export interface Look {
  readonly theme: Theme
  readonly scheme: Scheme
}

/** What a look is sealed for. */
const SEAL = 'theme look'
/** As long a page may be opened again by it. */
const HOLDS_MS = 30 * 60_000

const sealed = z.object({ theme: themeShape, scheme: z.enum(SCHEMES), until: z.number() })

/** A look in letters of an address: nobody without the shop's key can make one, and it runs out. */
export function sealLook(keys: Keys, { theme, scheme }: Look, now: Date): string {
  const until = now.getTime() + HOLDS_MS
  return keys
    .seal(SEAL, Buffer.from(JSON.stringify({ theme, scheme, until })))
    .toString('base64url')
}

/** Opens what was sealed by this shop and has not run out; null for anything else. */
export const lookOpener =
  ({ keys, now }: Pick<Ctx, 'keys' | 'now'>) =>
  (token: string): Look | null =>
    openLook(keys, token, now())

function openLook(keys: Keys, token: string, now: Date): Look | null {
  try {
    const bytes = keys.open(SEAL, Buffer.from(token, 'base64url'))
    const read = sealed.safeParse(JSON.parse(bytes.toString('utf8'))).data
    return read && read.until > now.getTime() ? { theme: read.theme, scheme: read.scheme } : null
  } catch {
    return null
  }
}
