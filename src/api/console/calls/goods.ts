import { z } from 'zod'
import {
  makeChange,
  setLocks,
  tryChange,
  tryUndo,
  undoChange,
} from '#features/goods/editing/commands.ts'
import { PASTE_FIELDS } from '#features/goods/editing/engine/paste.ts'
import { readPasted } from '#features/goods/editing/queries.ts'
import type { GoodsEffect } from '#features/goods/editing/rules.ts'
import { AppError, fieldError, isAppError } from '#kernel/error.ts'
import { holdGoodsPrices, tryWaitingGoods } from '#features/office/pricing/commands.ts'
import { operatorCall, type OperatorCaller } from '../call.ts'
import { goodsTexts } from '#features/goods/editing/views.ts'
import {
  askedOf,
  askedShape,
  effectShape,
  effectView,
  fieldName,
  goodsCode,
  HASH,
  madeAnswer,
  madeShape,
  subject,
  value,
} from './goods-shapes.ts'
import { nothing, publicId } from './shapes.ts'

const KEY = '0198c0de-5a1e-7000-8000-5d0c6a0f2b11'
const CHANGE = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const EDIT = {
  subject: 'item',
  code: 'card:steam:us:10',
  field: 'price',
  from: { minor: '974', currency: 'USD' },
  to: { minor: '989', currency: 'USD' },
}
const ASKED =
  'Either `edits`, each with what the field said when it was read (`from`), or a `rule` with `codes` or a `filter`. Fields are those of the catalogue’s format; amounts are minor units with their currency.'

async function viewOf({ ctx, t, language }: OperatorCaller, effect: GoodsEffect) {
  return effectView(t, await goodsTexts(ctx.db, t, language, effect.samples), effect)
}

/** What moved since it was seen comes along as it is now, told as `try` tells it. */
async function withEffect<T>(caller: OperatorCaller, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const effect = isAppError(error)
      ? (error.data as { readonly effect?: GoodsEffect } | null)?.effect
      : undefined
    if (!isAppError(error) || !effect) throw error
    const data = { effect: await viewOf(caller, effect) }
    throw new AppError(error.code, error.params, { data })
  }
}

const goodsTry = operatorCall({
  path: 'console/goods/try',
  summary: 'What a change of goods would do, before it is made',
  description: `Nothing is changed. ${ASKED} Faults and conflicts stand at their places; \`hash\` is what \`console/goods/change\` takes.`,
  body: z.strictObject(askedShape),
  data: effectShape,
  example: { edits: [EDIT] },
  async answer(caller, given) {
    const asked = askedOf(given)
    if (!asked) throw fieldError('rule', 'required')
    return viewOf(caller, await tryChange(caller.ctx, asked))
  },
})

const goodsChange = operatorCall({
  path: 'console/goods/change',
  summary: 'Change goods, as it was told',
  description: `${ASKED} One change a \`key\`. Where the effect is not the one of \`hash\` any more, nothing is done and 2418 is answered with the effect as it is now; with any fault or conflict 2422, unless \`partial\`. Each field that is changed is locked against imports and syncs.`,
  body: z.strictObject({
    ...askedShape,
    ...madeShape,
    kind: z.enum(['inline', 'bulk', 'editor', 'import']).default('inline'),
    note: z.string().trim().max(500).default(''),
    partial: z.boolean().default(false),
  }),
  data: madeAnswer,
  example: { edits: [EDIT], key: KEY, hash: HASH },
  answer(caller, { kind, note, partial: isPartial, hash, key, ...given }) {
    const asked = askedOf(given)
    if (!asked) throw fieldError('rule', 'required')
    const made = { key, asked, kind, hash, note, isPartial }
    return withEffect(caller, makeChange(caller.ctx, made, holdGoodsPrices))
  },
})

const goodsTryUndo = operatorCall({
  path: 'console/goods/try_undo',
  summary: 'What taking a change back would do',
  description: 'What somebody has changed since is told under `conflicts`, and stays.',
  body: z.object({ change: publicId }),
  data: effectShape,
  example: { change: CHANGE },
  answer: async (caller, { change }) => viewOf(caller, await tryUndo(caller.ctx, change)),
})

const goodsUndo = operatorCall({
  path: 'console/goods/undo',
  summary: 'Take a change of goods back, as far as nobody has changed the same since',
  description: 'Itself a change with a history, which can be taken back.',
  body: z.strictObject({ ...madeShape, change: publicId }),
  data: madeAnswer,
  example: { change: CHANGE, key: KEY, hash: HASH },
  answer: (caller, given) => withEffect(caller, undoChange(caller.ctx, given, holdGoodsPrices)),
})

const goodsPaste = operatorCall({
  path: 'console/goods/paste',
  summary: 'Read a table that was copied from a spreadsheet',
  description:
    'Nothing is changed. The first line may name its columns (`code`, `price` …); without a column of codes the lines are for `codes`, in order. Numbers are read as people write them; what can be read in two ways is told.',
  body: z.strictObject({
    text: z.string().min(1).max(300_000),
    codes: z.array(goodsCode).max(5_000).default([]),
    columns: z.array(z.enum(PASTE_FIELDS)).max(PASTE_FIELDS.length).default(['price']),
  }),
  data: z.object({
    lines: z.number(),
    edits: z.array(
      z.object({
        subject,
        code: z.string(),
        field: z.string(),
        from: value.optional(),
        to: value,
      }),
    ),
    faults: z.array(
      z.object({
        line: z.number(),
        column: z.number(),
        text: z.string(),
        reason: z.string(),
        msg: z.string(),
      }),
    ),
  }),
  example: { text: 'card:steam:us:10\t9,89' },
  async answer({ ctx, t, language }, { text, codes, columns }) {
    const { lines, edits, faults } = await readPasted(ctx.db, { text, codes, columns, language })
    return {
      lines,
      edits: edits.map(({ from, to, ...edit }) => ({
        ...edit,
        ...(from === undefined ? {} : { from: from as never }),
        to: to as never,
      })),
      faults: faults.map((fault) => ({ ...fault, msg: t(`error.field.${fault.reason}`) })),
    }
  },
})

const goodsLock = operatorCall({
  path: 'console/goods/lock',
  summary: 'Have imports and syncs leave fields alone, or follow them again',
  body: z.strictObject({
    subject,
    code: goodsCode,
    fields: z.array(fieldName).min(1).max(40),
    locked: z.boolean(),
  }),
  data: nothing,
  example: { subject: 'item', code: EDIT.code, fields: ['price'], locked: false },
  async answer({ ctx }, { locked: isLocked, ...given }) {
    await setLocks(ctx, { ...given, isLocked })
    return {}
  },
})

const goodsWaiting = operatorCall({
  path: 'console/goods/waiting',
  summary: 'What a change of goods that waits for a second person would do as of now',
  body: z.object({ id: publicId }),
  data: effectShape,
  example: { id: CHANGE },
  answer: async (caller, { id }) => viewOf(caller, await tryWaitingGoods(caller.ctx, id)),
})

export const GOODS_CALLS = [
  goodsWaiting,
  goodsTry,
  goodsChange,
  goodsTryUndo,
  goodsUndo,
  goodsPaste,
  goodsLock,
] as const
