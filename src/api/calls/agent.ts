import { z } from 'zod'
import { answerProgram } from '#features/buying/agent/commands.ts'
import { personalCall } from '../personal/call.ts'

export const agentConfirm = personalCall({
  path: 'agent/confirm',
  method: 'POST',
  summary: 'Say whether a program may buy',
  description:
    'What a program asked for in the person’s name, above what it may buy alone. Said once it stays so; 404 once its hour is over.',
  access: 'own-hand',
  limit: 'write',
  body: z.strictObject({
    id: z
      .string()
      .max(100)
      .meta({ description: 'Of the link', examples: ['pZ1xqk0bRk2v8k4y6c9w1A'] }),
    answer: z.enum(['approve', 'refuse']),
  }),
  data: z.object({ state: z.enum(['approved', 'refused']) }).meta({ id: 'AgentAnswer' }),
  example: { id: 'pZ1xqk0bRk2v8k4y6c9w1A', answer: 'approve' },
  answer: async ({ ctx, person }, { id, answer }) => ({
    state: await answerProgram(ctx, {
      id,
      accountId: person.accountId,
      isAgreed: answer === 'approve',
    }),
  }),
})
