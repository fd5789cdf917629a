import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { hashPassword } from '#platform/password-hash.ts'
import { quantile } from '../load/client.ts'
import { arrive } from '../load/open-loop.ts'

/** Addresses of shoppers who sign in, all with the same password. */
export type Shoppers = readonly string[]

const COUNT = 64
const PASSWORD = 'Kelapa7Muda'

/** So many that no two sign-ins of one account meet, which the guard against guessing would count. */
export async function addShoppers(databaseUrl: string): Promise<Shoppers> {
  const hash = await hashPassword(PASSWORD)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const addresses = Array.from({ length: COUNT }, (_, number) => `bench${number}@shopper.example`)
    for (const [number, email] of addresses.entries())
      await client.query(
        `insert into account (id, user_id, uid, user_name, nickname, email, email_verified_at, password_hash, password_changed_at, language, registered_at)
         values ($1, $2, $3, $4, $4, $5, now(), $6, now(), 'en', now())`,
        [
          randomUUID(),
          randomBytes(16).toString('base64url'),
          900_000_000 + number,
          `benchshopper${number}`,
          email,
          hash,
        ],
      )
    return addresses
  } finally {
    await client.end()
  }
}

/** As a browser does it. Throws unless the answer says that the shopper is signed in. */
async function signIn(port: number, account: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, password: PASSWORD }),
  })
  const text = await answer.text()
  if ((JSON.parse(text) as { code: number }).code !== 1)
    throw new Error(`Signing in answers ${text.slice(0, 200)}`)
}

const AT_ONCE = 8

/** Sign-ins a second, with some waiting all the time. */
export async function signInsPerSecond(
  port: number,
  shoppers: Shoppers,
  seconds: number,
): Promise<number> {
  const began = performance.now()
  let begun = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() - began < seconds * 1000)
        await signIn(port, shoppers[begun++ % shoppers.length] ?? '')
    }),
  )
  return (begun * 1000) / (performance.now() - began)
}

export interface SteadySignIns {
  /** Milliseconds. */
  readonly p50: number
  readonly max: number
}

/** So many a second for that long, each begun when it is due. */
export async function signInSteadily(
  port: number,
  shoppers: Shoppers,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<SteadySignIns> {
  const times: number[] = []
  const running: Promise<void>[] = []
  await arrive({ count: perSecond * seconds, perSecond }, (number, due) => {
    running.push(
      signIn(port, shoppers[number % shoppers.length] ?? '').then(
        () => void times.push(performance.now() - due),
      ),
    )
  })
  await Promise.all(running)
  const sorted = Float64Array.from(times).sort()
  return { p50: quantile(sorted, 0.5), max: sorted.at(-1) ?? 0 }
}
