import { z } from 'zod'
import { renameOnce, tryRename } from '#features/goods/renaming/commands.ts'
import { CODE_MOST } from '#features/goods/renaming/rules.ts'
import { operatorCall } from '../call.ts'
import { goodsCode, HASH, madeShape } from './goods-shapes.ts'
import { publicId } from './shapes.ts'

const KEY = '0198c0de-5a1e-7000-8000-5d0c6a0f2b11'
const EXAMPLE = { from: 'steam-us', to: 'steam-usa' }
const given = {
  from: goodsCode.meta({ description: 'The code of a product, which its address ends with' }),
  to: z.string().trim().max(CODE_MOST).meta({ description: 'Small letters, digits and hyphens' }),
}
const ABOUT =
  'A code that means other goods, now or by a former address, is refused; one that the product had before is given back, and its redirect ends.'

const effectShape = z.object({
  hash: z.string(),
  from: z.string(),
  to: z.string(),
  leading: z.array(z.string()).meta({ description: 'Codes that lead to the new one then' }),
  is_return: z.boolean(),
})

const goodsRenameTry = operatorCall({
  path: 'console/goods/rename_try',
  summary: 'What another code of a product would do',
  description: `Nothing is changed. ${ABOUT} \`hash\` is what \`console/goods/rename\` takes.`,
  body: z.strictObject(given),
  data: effectShape,
  example: EXAMPLE,
  async answer({ ctx }, asked) {
    const { isReturn, leading, ...effect } = await tryRename(ctx, asked)
    return { ...effect, leading: [...leading], is_return: isReturn }
  },
})

const goodsRename = operatorCall({
  path: 'console/goods/rename',
  summary: 'Give a product another code, as it was told',
  description: `Every former code leads to the new one in one step (301), in all languages. ${ABOUT} One rename a \`key\`; where it would not do any more what \`hash\` is of, nothing is done and 2418 is answered.`,
  body: z.strictObject({ ...given, ...madeShape }),
  data: z.object({ change: publicId }),
  example: { ...EXAMPLE, key: KEY, hash: HASH },
  answer: ({ ctx }, asked) => renameOnce(ctx, asked),
})

export const GOODS_RENAMING_CALLS = [goodsRenameTry, goodsRename] as const
