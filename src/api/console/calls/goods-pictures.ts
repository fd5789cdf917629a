import { z } from 'zod'
import { coverRecipe } from '#features/goods/picture/cover/recipe.ts'
import { coverChoices, drawnCover, readSentPicture } from '#features/goods/picture/queries.ts'
import { sentHash, sentPath } from '#features/goods/picture/rules.ts'
import { receiveShopPicture } from '#features/goods/upload/flows.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { StreamedFile } from '../streamed-file.ts'

const FILE = `sent/${'0a'.repeat(32)}.webp`
const file = z
  .string()
  .max(200)
  .meta({ examples: [FILE] })

const pictureSend = operatorCall({
  path: 'console/goods/picture/send',
  summary: 'Send a picture; what is seen on it is kept, and no goods show it yet',
  description:
    'JPEG, PNG, WebP, AVIF or GIF of up to 10 MiB and 25 megapixels; the body is the file, whatever its type. It is decoded and encoded anew. `file` is what `console/goods/change` takes as the `picture` of a brand or product, with a `crop` in ten-thousandths of its width and height. What no goods show is gone after a day.',
  takesFile: true,
  body: z.object({}),
  data: z.object({ file, width: z.number(), height: z.number() }),
  example: {},
  async answer({ ctx, services, file: sent }) {
    if (!sent) throw fieldError('file', 'required')
    const { hash, width, height } = await receiveShopPicture(ctx, sent, services.readUpload)
    return { file: sentPath(hash), width, height }
  },
})

const picture = operatorCall({
  path: 'console/goods/picture',
  summary: 'A picture that was sent, whole, as WebP',
  body: z.object({ file }),
  data: z.object({}),
  file: 'image/webp',
  example: { file: FILE },
  async answer({ ctx }, given) {
    const hash = sentHash(given.file)
    const content = hash === null ? null : await readSentPicture(ctx.db, hash)
    if (hash === null || content === null) throw new AppError('not_found')
    return new StreamedFile(`${hash.slice(0, 8)}.webp`, 'image/webp', whole(content))
  },
})

async function* whole(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

const coverOffer = operatorCall({
  path: 'console/goods/cover/choices',
  summary: 'Motifs and inks that a drawn cover may have',
  body: z.object({}),
  data: z.object({
    motifs: z.array(z.object({ name: z.string(), svg: z.string() })),
    palettes: z.array(z.object({ inks: z.array(z.string()), colours: z.array(z.string()) })),
  }),
  example: {},
  answer: async () => {
    const { motifs, palettes } = coverChoices()
    return {
      motifs: [...motifs],
      palettes: palettes.map(({ inks, colours }) => ({ inks: [...inks], colours: [...colours] })),
    }
  },
})

const STEAM = { name: 'Steam', kind: 'gift', tag: 'USD' } as const
const DRAWN = {
  ...STEAM,
  design: {
    motif: 'tent-keycap',
    inks: ['rose', 'night', 'plum', 'amber'],
    ink: 'amber',
    voice: 'tall',
    lines: ['STEAM'],
    layout: 'horizon',
    title: 'foot',
    ground: 'plain',
  },
} as const

const coverDraw = operatorCall({
  path: 'console/goods/cover',
  summary: 'A cover as the shop would draw it, upright and square, with its whole design',
  description: 'Nothing is kept. What the design leaves out is chosen by the shop’s rule.',
  body: z.strictObject({ cover: coverRecipe }),
  data: z.object({
    cover: coverRecipe.meta({ examples: [DRAWN] }),
    upright: z.string(),
    square: z.string(),
  }),
  example: { cover: STEAM },
  answer: async (_caller, given) => {
    const { recipe, upright, square } = drawnCover(given.cover)
    return { cover: recipe, upright, square }
  },
})

export const GOODS_PICTURE_CALLS = [pictureSend, picture, coverOffer, coverDraw] as const
