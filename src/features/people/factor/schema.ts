import { z } from 'zod'

/** What a challenge was made for, kept with it, so that an answer to one question is none to another. */
export const challengeData = z.strictObject({ for: z.enum(['sign_in', 'add', 'proof']) })
export type ChallengePurpose = z.infer<typeof challengeData>['for']
