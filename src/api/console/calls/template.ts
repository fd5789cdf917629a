import { z } from 'zod'
import { CASE_NOTE_MAX } from '#features/buying/after-sales/rules.ts'
import { removeTemplate, saveTemplate } from '#features/office/case/commands.ts'
import { listTemplates } from '#features/office/case/queries.ts'
import { TEMPLATE_NAME_MAX } from '#features/office/case/rules.ts'
import { fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { language, moment, nothing, publicId } from './shapes.ts'

const TEMPLATE = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const text = z.string().trim().min(1).max(CASE_NOTE_MAX)
const texts = z.partialRecord(language, text).meta({
  examples: [{ en: 'We have sent you another key.' }],
})

const templatesList = operatorCall({
  path: 'console/templates/list',
  summary: 'Answers that are written once, by language',
  body: z.object({}),
  data: z.array(
    z.object({ id: publicId, name: z.string(), texts, changed_by: z.string(), changed: moment }),
  ),
  example: {},
  async answer({ ctx }) {
    const templates = await listTemplates(ctx.db)
    return templates.map(({ id, name, texts: own, changedBy, changedAt }) => ({
      id,
      name,
      texts: { ...own },
      changed_by: changedBy.replace(/^operator:/, ''),
      changed: changedAt.toISOString(),
    }))
  },
})

const templatesSave = operatorCall({
  path: 'console/templates/save',
  summary: 'Write an answer once, or write it anew',
  description:
    'Without `id` a new one. `seen` is when it was changed last, as it was read: where somebody has written it since, nothing is done.',
  body: z.strictObject({
    id: publicId.optional(),
    name: z.string().trim().min(1).max(TEMPLATE_NAME_MAX),
    texts,
    seen: moment.optional(),
  }),
  data: z.object({ id: publicId }),
  example: { name: 'Key replaced', texts: { en: 'We have sent you another key.' } },
  async answer({ ctx }, { id = null, name, texts: own, seen }) {
    if (Object.keys(own).length === 0) throw fieldError('texts', 'required')
    return {
      id: await saveTemplate(ctx, {
        id,
        name,
        texts: own,
        seen: seen === undefined ? null : new Date(seen),
      }),
    }
  },
})

const templatesRemove = operatorCall({
  path: 'console/templates/remove',
  summary: 'Take an answer away',
  body: z.strictObject({ id: publicId }),
  data: nothing,
  example: { id: TEMPLATE },
  async answer({ ctx }, { id }) {
    await removeTemplate(ctx, id)
    return {}
  },
})

export const TEMPLATE_CALLS = [templatesList, templatesSave, templatesRemove] as const
