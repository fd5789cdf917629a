import { z } from 'zod'
import { chooseGuide, chooseStep } from '#features/office/guide/commands.ts'
import { findTestLetter } from '#features/office/guide/queries.ts'
import { GUIDE_STEPS } from '#features/office/guide/rules.ts'
import { saveLegalText } from '#features/office/legal/commands.ts'
import { LEGAL_CODES, TEXT_MAX, TITLE_MAX } from '#features/office/legal/rules.ts'
import { askForStarter } from '#features/office/starter/commands.ts'
import { findStarterRun } from '#features/office/starter/queries.ts'
import { STARTER_KINDS } from '#features/office/starter/rules.ts'
import { operatorCall } from '../call.ts'
import { nothing, publicId } from './shapes.ts'

const guideChoose = operatorCall({
  path: 'console/guide/choose',
  summary: 'Skip a step of the setup guide, take that back, or say that one has looked',
  body: z.strictObject({
    step: z.enum(GUIDE_STEPS),
    choice: z.enum(['skipped', 'done', 'open']),
  }),
  data: nothing,
  example: { step: 'keys', choice: 'skipped' },
  async answer({ ctx }, { step, choice }) {
    await chooseStep(ctx, step, choice)
    return {}
  },
})

const guideWhole = operatorCall({
  path: 'console/guide/whole',
  summary: 'Leave the setup guide for now, take it off home, or bring it back',
  body: z.strictObject({ choice: z.enum(['left', 'dismissed', 'open']) }),
  data: nothing,
  example: { choice: 'left' },
  async answer({ ctx }, { choice }) {
    await chooseGuide(ctx, choice)
    return {}
  },
})

const guideText = operatorCall({
  path: 'console/guide/text',
  summary: 'Write one of the texts that buyers agree to or may rely on',
  description: 'Wherever somebody else could approve it, it waits for them.',
  body: z.strictObject({
    code: z.enum(LEGAL_CODES),
    title: z.string().max(TITLE_MAX),
    text: z.string().max(TEXT_MAX),
    /** Of the text that was read; empty where there was none. */
    version: z.string().max(64),
  }),
  data: z.object({
    waits: publicId
      .nullable()
      .describe('The act that waits for a second person; null where it is done'),
  }),
  example: {
    code: 'sales-terms',
    title: 'Terms of sale',
    text: '# Who sells\n\nWe do.',
    version: '',
  },
  async answer({ ctx }, change) {
    return { waits: await saveLegalText(ctx, change) }
  },
})

const guideGoods = operatorCall({
  path: 'console/guide/goods',
  summary: 'How taking in the goods of the program stands',
  body: z.object({}),
  data: z.object({
    state: z.enum(['none', 'waiting', 'taking', 'done', 'failed']),
    step: z.int(),
    steps: z.int(),
    failure: z.string().nullable(),
  }),
  example: {},
  async answer({ ctx }) {
    const run = await findStarterRun(ctx.db)
    if (!run) return { state: 'none' as const, step: 0, steps: 1, failure: null }
    const { state, step, steps, failure } = run
    return { state, step, steps, failure }
  },
})

const guideGoodsTake = operatorCall({
  path: 'console/guide/goods/take',
  summary: 'Take in goods that the program brings along, and what all goods stand on',
  body: z.strictObject({
    kinds: z.array(z.enum(STARTER_KINDS)).max(STARTER_KINDS.length),
    on_sale: z.boolean(),
  }),
  data: z.object({ id: z.string() }),
  example: { kinds: ['gift_card'], on_sale: false },
  async answer({ ctx }, { kinds, on_sale }) {
    return { id: await askForStarter(ctx, { kinds, isOnSale: on_sale }) }
  },
})

const guideLetter = operatorCall({
  path: 'console/guide/letter',
  summary: 'How sending the newest test letter stands',
  body: z.object({}),
  data: z.object({
    state: z.enum(['none', 'waiting', 'failing', 'sent']),
    /** What the mail server said, which is English. */
    failure: z.string().nullable(),
  }),
  example: {},
  async answer({ ctx }) {
    const letter = await findTestLetter(ctx.db)
    if (!letter) return { state: 'none' as const, failure: null }
    if (letter.sentAt) return { state: 'sent' as const, failure: null }
    return {
      state: letter.isFailing ? ('failing' as const) : ('waiting' as const),
      failure: letter.failure,
    }
  },
})

export const GUIDE_CALLS = [
  guideChoose,
  guideWhole,
  guideText,
  guideGoods,
  guideGoodsTake,
  guideLetter,
] as const
