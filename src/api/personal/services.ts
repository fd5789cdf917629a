import type { Ctx } from '#platform/ctx.ts'
import type { Person } from '#features/session/rules.ts'
import type { LimitClass } from './call.ts'
import type { Visitor } from '#platform/http/visitor.ts'

/** What shows that the person of a session is still the one who holds it. */
export interface Proof {
  readonly password?: string | undefined
  /** Mailed by user/send_code {type: "proof"}. */
  readonly code?: string | undefined
}

/** What calls use beside the database; put together in `web.ts`. */
export interface Services {
  /** Origin of the shop: "https://shop.example". */
  readonly publicUrl: string
  readonly isHttps: boolean
  readonly timeZone: string
  readonly isDemo: boolean
  /** Passwords may be longer and hold any character. */
  readonly strictPasswords: boolean
  /** Throws AppError when the proof is wrong. */
  readonly prove: (ctx: Ctx, person: Person, proof: Proof) => Promise<void>
  /** Seconds to wait before the next call of this class; 0 when it may be made. */
  readonly takeShare: (limit: LimitClass, visitor: Visitor, accountId: string | null) => number
}
