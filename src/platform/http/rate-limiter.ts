import { siteOf, type Visitor } from './visitor.ts'

/** Kinds of requests that share a limit. */
export type LimitClass = 'read' | 'form' | 'write' | 'sign-in' | 'code' | 'costly'

interface Allowance {
  /** So many at once … */
  readonly burst: number
  /** … and so many again in each of these periods, in seconds. */
  readonly per: number
  /** A signed-in person is counted wherever the calls come from; everybody else by address. */
  readonly by: 'address' | 'person'
}

/**
 * Reading is meant for people: many of them may share one address (an office, a mobile network), so it only stops machines.
 * What sends mail, guesses or costs work is narrow.
 */
export const ALLOWANCES: Readonly<Record<LimitClass, Allowance>> = {
  read: { burst: 2_000, per: 10, by: 'address' },
  // Every form posted to a page, before its body is read and says which call it makes.
  form: { burst: 200, per: 10, by: 'address' },
  write: { burst: 100, per: 10, by: 'person' },
  // A campus behind one address signs in and registers, too: what is wrong is counted closer, by `base/guard` and `verification`.
  'sign-in': { burst: 300, per: 60, by: 'address' },
  code: { burst: 100, per: 600, by: 'address' },
  costly: { burst: 60, per: 60, by: 'person' },
}

/** Whoever has a whole site of IPv6 (/48, 256 networks) counts as so many callers and no more. */
const NETWORKS_OF_SITE = 8

type Take = (key: string, at: number) => number

/** Callers remembered by each class: this many in the younger half, at most as many in the older. */
const HALF_MAX = 20_000

export interface RateLimitOptions {
  readonly isOn: boolean
  /** Milliseconds. */
  readonly now: () => number
}

/** Counts a request: 0 when it may go on, else the seconds to wait. A refused one does not count. */
export type TakeShare = (
  limit: LimitClass,
  visitor: Pick<Visitor, 'address' | 'network'>,
  accountId?: string | null,
) => number

/**
 * Limits of one process, by the generic cell rate algorithm: of each caller only one number is kept, the moment its allowance
 * is used up to. Memory is bounded; whoever has not called for longest is forgotten first.
 */
export function createRateLimits({ isOn, now }: RateLimitOptions): TakeShare {
  if (!isOn) return () => 0
  const limits = Object.fromEntries(
    Object.entries(ALLOWANCES).map(([name, { burst, per, by }]) => [
      name,
      {
        by,
        take: createLimit(per * 1_000, burst),
        takeOfSite: createLimit(per * 1_000, burst * NETWORKS_OF_SITE),
      },
    ]),
  ) as Record<
    LimitClass,
    { readonly by: Allowance['by']; readonly take: Take; readonly takeOfSite: Take }
  >
  return (name, visitor, accountId = null) => {
    const { by, take, takeOfSite } = limits[name]
    if (by === 'person' && accountId !== null) return take(accountId, now())
    const site = siteOf(visitor.network)
    return take(addressKey(visitor), now()) || (site === null ? 0 : takeOfSite(site, now()))
  }
}

/** @param period milliseconds in which `burst` requests are allowed again */
export function createLimit(
  period: number,
  burst: number,
  halfMax: number = HALF_MAX,
): (key: string, at: number) => number {
  const share = period / burst
  const slack = period - share
  // Two generations make a cheap LRU: when the younger is full the older is dropped. Every use moves an entry to the younger.
  let younger = new Map<string, number>()
  let older = new Map<string, number>()
  return (key, at) => {
    const usedUpTo = Math.max(younger.get(key) ?? older.get(key) ?? at, at)
    const wait = usedUpTo - at - slack
    younger.set(key, wait > 0 ? usedUpTo : usedUpTo + share)
    if (younger.size >= halfMax) {
      older = younger
      younger = new Map()
    }
    return wait > 0 ? Math.ceil(wait / 1_000) : 0
  }
}

/** An IPv4 address is a household at least; of IPv6 a household has a whole network. */
function addressKey({ address, network }: Pick<Visitor, 'address' | 'network'>): string {
  return address.includes(':') ? network : address
}
