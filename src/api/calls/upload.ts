import { z } from 'zod'
import { removeAvatar } from '#features/goods/upload/commands.ts'
import { uploadAvatar, uploadTicketPicture } from '#features/goods/upload/flows.ts'
import { uploadAddress } from '#features/goods/upload/rules.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { personalCall } from '../personal/call.ts'

export const uploadImage = personalCall({
  path: 'upload/image',
  method: 'POST',
  summary: 'Send a picture',
  description:
    'A form with the file in `image`: PNG, JPEG or WebP, at most 5 MiB and 25 megapixels. What is seen is kept as WebP, without metadata; an `avatar` is cut to a ' +
    'square and takes the place of the one before; a `ticket` goes with a question to the shop, which alone sees it. With `remove` in place of a file there is none any more. Codes: 2413 another kind of file, 2414 too large, 2415 broken.',
  access: 'own-hand',
  limit: 'costly',
  bodyTypes: ['multipart/form-data'],
  body: z.strictObject({
    purpose: z.enum(['avatar', 'ticket']).meta({ description: 'What it is sent for' }),
    image: z.instanceof(Uint8Array).optional().meta({ type: 'string', format: 'binary' }),
    remove: z.union([z.literal(true), z.literal('true')]).optional(),
  }),
  data: z
    .object({
      id: z
        .string()
        .meta({ description: 'Empty when it was removed', examples: ['0Yb1nq4p8T2cVx9sKd3LwA'] }),
      url: z.string().meta({
        description: 'Where it is shown; empty when it was removed, or nobody but the shop sees it',
        examples: ['/img/upload/0Yb1nq4p8T2cVx9sKd3LwA.webp'],
      }),
    })
    .meta({ id: 'UploadedImage' }),
  example: { purpose: 'avatar', image: '(the file)' },
  async answer({ ctx, person, services }, { purpose, image, remove }) {
    if (remove) {
      if (purpose !== 'avatar' || (image && image.length > 0))
        throw new AppError(
          'invalid_input',
          {},
          { fields: [{ field: 'remove', reason: 'not_allowed' }] },
        )
      await removeAvatar(ctx, person.accountId)
      return { id: '', url: '' }
    }
    // What a browser sends for a file field that was left alone.
    if (!image || image.length === 0) throw fieldError('image', 'required')
    // Shown to the shop alone.
    if (purpose === 'ticket')
      return {
        id: await uploadTicketPicture(ctx, person.accountId, image, services.readUpload),
        url: '',
      }
    const id = await uploadAvatar(ctx, person.accountId, image, services.readUpload)
    return { id, url: uploadAddress(id) }
  },
})
