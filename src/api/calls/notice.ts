import { z } from 'zod'
import { readAllNotices, readNotice } from '#features/people/notice/commands.ts'
import { countUnreadNotices, listNotices } from '#features/people/notice/queries.ts'
import { noticeShape } from '#features/people/notice/schema.ts'
import { noticeView } from '#features/people/notice/views.ts'
import { pagedShape, pagingOf, personalPaging } from '../parameters.ts'
import { personalCall } from '../personal/call.ts'

const unread = z
  .int()
  .min(0)
  .meta({ description: 'Notices not read yet, of all pages', examples: [2] })
const unreadShape = z.object({ notice_num: unread }).meta({ id: 'NoticeFigures' })

export const noticeIndex = personalCall({
  path: 'notice/index',
  method: 'GET',
  summary: 'List notices',
  description: 'Newest first. Notices are kept for a year, at most 500 of them.',
  access: 'signed-in',
  limit: 'read',
  body: z.object(personalPaging),
  data: pagedShape(noticeShape).extend({ notice_num: unread }).meta({ id: 'NoticePage' }),
  example: { page: 1, limit: 20 },
  answer: async ({ ctx, shop, language, currency, t, person, services }, body) => {
    const { page, limit } = pagingOf(body)
    const found = await listNotices(ctx.db, person.accountId, page, limit)
    const view = { shop, language: language.code, currency, t }
    const list = found.notices
      .map((notice) => noticeView(view, notice, services.timeZone))
      .filter((notice) => notice !== null)
    return {
      list,
      total: found.total,
      page,
      limit,
      pages: Math.ceil(found.total / limit),
      notice_num: found.unread,
    }
  },
})

export const noticeRead = personalCall({
  path: 'notice/read',
  method: 'POST',
  summary: 'Mark a notice as read',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({
    id: z
      .string()
      .max(100)
      .meta({ examples: ['pZ1xqk0bRk2v8k4y6c9w1A'] }),
  }),
  data: unreadShape,
  example: { id: 'pZ1xqk0bRk2v8k4y6c9w1A' },
  answer: async ({ ctx, person }, { id }) => {
    await readNotice(ctx, person.accountId, id)
    return { notice_num: await countUnreadNotices(ctx.db, person.accountId) }
  },
})

export const noticeReadAll = personalCall({
  path: 'notice/read_all',
  method: 'POST',
  summary: 'Mark all notices as read',
  access: 'signed-in',
  limit: 'write',
  body: z.strictObject({}),
  data: unreadShape,
  example: {},
  answer: async ({ ctx, person }) => {
    await readAllNotices(ctx, person.accountId)
    return { notice_num: await countUnreadNotices(ctx.db, person.accountId) }
  },
})
