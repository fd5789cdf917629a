import { z } from 'zod'
import { sendTestLetter } from '#features/office/readiness/commands.ts'
import { READY_LINES } from '#features/office/readiness/rules.ts'
import { operatorCall } from '../call.ts'
import { nothing } from './shapes.ts'

const setupList = operatorCall({
  path: 'console/setup/list',
  summary: 'Whether the shop is ready to sell: each line from a fact that is looked up now',
  body: z.object({}),
  data: z.array(
    z.object({
      name: z.enum(READY_LINES),
      is_done: z.boolean(),
      is_needed: z.boolean(),
      /** What of it is open. */
      open: z.array(z.string()),
    }),
  ),
  example: {},
  async answer({ services }) {
    const lines = await services.ready()
    return lines.map(({ name, isDone, isNeeded, open }) => ({
      name,
      is_done: isDone,
      is_needed: isNeeded,
      open: [...open],
    }))
  },
})

const setupTestLetter = operatorCall({
  path: 'console/setup/test_letter',
  summary: 'Send a letter that says nothing but that it has arrived',
  body: z.strictObject({ email: z.email().max(254) }),
  data: nothing,
  example: { email: 'owner@corner.example' },
  async answer({ ctx, language }, { email }) {
    await sendTestLetter(ctx, email, language)
    return {}
  },
})

export const SETUP_CALLS = [setupList, setupTestLetter] as const
