import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#kernel/error.ts'

/** The library's own name for it is a const enum, which does not survive type stripping. */
const ARGON2ID = 2
/** Argon2id with the first of the parameter sets that OWASP's password storage guide names as equal: 19 MiB, two passes. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Of a password nobody has; made with the same cost, so that an unknown account takes as long as a wrong password. */
const NOBODYS = hash(crypto.getRandomValues(Buffer.alloc(24)), COST)

/**
 * Hashing runs on threads beside the event loop, but on the same processors as the pages: only so many at a time, the others
 * wait in order, and where more come than could be served while they wait they are asked to come again.
 */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2))
const WAITING_MAX = 128
const SECONDS_UNTIL_FREE = 5
const waiting: (() => void)[] = []
let running = 0

/** Throws `too_many_requests` while the line is full: for callers to ask before they count a try that would not be judged. */
export function assertHashingFree(): void {
  if (waiting.length >= WAITING_MAX)
    throw new AppError('too_many_requests', { seconds: SECONDS_UNTIL_FREE })
}

/** In PHC string format: parameters, salt and hash in one text. Throws as `assertHashingFree` does. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

/** Whether the password is the one hashed. Without a hash the answer is no, after the same work. Throws as `assertHashingFree` does. */
export async function verifyPassword(hashed: string | null, password: string): Promise<boolean> {
  const against = hashed ?? (await NOBODYS)
  const matches = await inTurn(() => verify(against, password))
  return matches && hashed !== null
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  assertHashingFree()
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
