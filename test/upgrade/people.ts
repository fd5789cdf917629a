import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { shopperOf, type Shopper } from '../faults/shopper.ts'

/** Somebody signed in, written as release 0004 keeps them: the newest program does not know that release's tables. */
export async function addShopper(
  client: pg.Client,
  address: string,
  number: number,
): Promise<Shopper> {
  const id = randomUUID()
  const token = randomBytes(32).toString('base64url')
  await client.query(
    `insert into account (id, user_id, uid, user_name, nickname, email, email_verified_at, language, registered_at)
     values ($1, $2, $3, $4, 'Rehearsal', $5, now(), 'en', now())`,
    [id, publicId(), 100_000_000 + number, `rehearsal${number}`, `rehearsal${number}@shop.example`],
  )
  await client.query(
    `insert into session (id, public_id, account_id, token_hash, handle_hash, browser, system, network, created_at, seen_at, expires_at, proved_at, handle_seen_at)
     values ($1, $2, $3, $4, $5, 'Test', 'Test', '127.0.0.0/24', now(), now(), now() + interval '30 days', now(), now())`,
    [randomUUID(), publicId(), id, sha256(token), sha256(randomUUID())],
  )
  return patient(shopperOf(address, id, token))
}

const PROVIDER_AWAY = 2436

/** Takes "the payment service does not answer, try again in a moment" at its word: the demo's own goes with its release. */
function patient(shopper: Shopper): Shopper {
  return {
    ...shopper,
    post: async (path, body, key) => {
      const answer = await shopper.post(path, body, key)
      return answer.code === PROVIDER_AWAY ? { ...answer, status: 503 } : answer
    },
  }
}

const publicId = () => randomBytes(16).toString('base64url')
const sha256 = (text: string) => createHash('sha256').update(text).digest()
