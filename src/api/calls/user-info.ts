import { z } from 'zod'
import { countUnits } from '#features/buying/cart/queries.ts'
import { collectFigures } from '#features/people/favourite/queries.ts'
import { countUnreadNotices } from '#features/people/notice/queries.ts'
import { endSession } from '#features/people/session/commands.ts'
import type { Person } from '#features/people/session/rules.ts'
import { uploadAddress } from '#features/goods/upload/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { LanguageCode } from '#kernel/language.ts'
import { transaction } from '#platform/ctx.ts'
import type { Db } from '#platform/db.ts'
import { formatDate } from '#platform/i18n/format.ts'
import { personalCall } from '../personal/call.ts'

export const userInfoShape = z
  .object({
    user_id: z.string().meta({
      description: 'For other systems (the chat widget); random',
      examples: ['0Yb1nq4p8T2cVx9sKd3LwA'],
    }),
    uid: z
      .string()
      .meta({ description: 'What people read out to support', examples: ['482019377'] }),
    nickname: z.string().meta({ examples: ['Rizky'] }),
    avatar: z.string().meta({
      description: 'Address of the picture; empty without one',
      examples: ['/img/upload/0Yb1nq4p8T2cVx9sKd3LwA.webp'],
    }),
    email: z.string().meta({ examples: ['rizky@example.com'] }),
    mobile: z
      .string()
      .meta({ description: 'E.164; empty without one', examples: ['+6281234567890'] }),
    register_time_text: z
      .string()
      .meta({ description: 'In the language of the call', examples: ['20 November 2026'] }),
    role_id: z.int().meta({ description: 'Customer level: 0 retail', examples: [0] }),
    ext: z.object({
      cart_num: z.int().meta({ description: 'Units in the cart', examples: [0] }),
      collect_num: z.int().meta({ description: 'Favourites', examples: [8] }),
      collect_max_discount: z.int().meta({
        description: 'Largest running discount among the favourites, whole percent',
        examples: [12],
      }),
      notice_num: z.int().meta({ description: 'Unread notices', examples: [2] }),
    }),
  })
  .meta({ id: 'UserInfo' })

/** What signing in answers (specification §3): the person, and the handle that clients without cookies send as `token`. */
export const signedInShape = z
  .object({
    userinfo: userInfoShape.extend({
      token: z.string().meta({
        description: 'Send it as the `token` parameter; weaker than the cookie',
        examples: ['j3kq…'],
      }),
    }),
  })
  .meta({ id: 'SignedIn' })

export interface InfoView {
  readonly db: Db
  readonly shop: ShopSnapshot
  readonly language: LanguageCode
  readonly timeZone: string
}

/** A person as the wire shows them. */
export async function userInfo(
  { db, shop, language, timeZone }: InfoView,
  person: Person,
): Promise<z.infer<typeof userInfoShape>> {
  const { accountId } = person
  const [collected, unread, units] = await Promise.all([
    collectFigures(db, shop, accountId),
    countUnreadNotices(db, accountId),
    countUnits(db, accountId),
  ])
  return {
    user_id: person.userId,
    uid: person.uid,
    nickname: person.nickname,
    avatar: person.avatar === null ? '' : uploadAddress(person.avatar),
    email: person.email,
    mobile: person.mobileVerified ? (person.mobile ?? '') : '',
    register_time_text: formatDate(language, person.registeredAt, timeZone),
    role_id: person.roleId,
    ext: { cart_num: units, ...collected, notice_num: unread },
  }
}

export const userGetUserInfo = personalCall({
  path: 'user/getUserInfo',
  method: 'GET',
  summary: 'Who is signed in',
  access: 'signed-in',
  limit: 'read',
  body: z.object({}),
  data: userInfoShape,
  example: {},
  answer: ({ ctx, shop, language, services, person }) =>
    userInfo({ db: ctx.db, shop, language: language.code, timeZone: services.timeZone }, person),
})

export const userLogout = personalCall({
  path: 'user/logout',
  method: 'POST',
  summary: 'Sign out',
  description:
    'Ends the session on the server and forgets it in the browser. Truthy also when nobody was signed in.',
  access: 'anyone',
  limit: 'write',
  body: z.strictObject({}),
  data: z.literal(true),
  example: {},
  answer: async ({ ctx, person, cookies }) => {
    if (person) await transaction(ctx, (tx) => endSession(tx, person.sessionId))
    cookies.endSession()
    return true as const
  },
})
