import { createEndpoint, type Endpoint } from '#features/buying/webhook/commands.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import { transaction } from '#platform/ctx.ts'
import { tellOfAlone } from './looks.ts'

/**
 * Has an account told of its orders at an address, as `createEndpoint` does, and owners told of that: where word of orders goes takes two
 * people in the console. Both or neither. Throws 'not_found'.
 */
export async function createEndpointAlone(
  ctx: OperatorCtx,
  asked: { readonly email: string; readonly url: string },
): Promise<Endpoint> {
  return transaction(ctx, async (tx, now) => {
    const made = await createEndpoint(tx, ctx, now, asked)
    await tellOfAlone(tx, ctx, now)
    return made
  })
}
