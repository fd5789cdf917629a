import { findAvatar } from '#features/goods/upload/queries.ts'
import { publicIdOf } from '#features/goods/upload/rules.ts'
import type { Ctx } from '#platform/ctx.ts'

/** What is sent by others is shown as a picture and can be nothing else, even opened by itself. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-site',
}
/** An address never shows another picture; only the browser that asked may keep it, since its owner can take it back. */
const LASTING = 'private, max-age=31536000, immutable'

/** The answer at `/img/upload/{id}.webp`: an avatar, for whoever knows its id. */
export async function uploadAnswer(ctx: Pick<Ctx, 'db'>, path: string): Promise<Response> {
  const publicId = publicIdOf(path)
  const content = publicId === null ? null : await findAvatar(ctx.db, publicId)
  if (!content)
    return new Response(null, { status: 404, headers: { ...ALWAYS, 'cache-control': 'no-store' } })
  return new Response(content as Uint8Array<ArrayBuffer>, {
    headers: {
      ...ALWAYS,
      'content-type': 'image/webp',
      'content-length': String(content.length),
      'cache-control': LASTING,
    },
  })
}
