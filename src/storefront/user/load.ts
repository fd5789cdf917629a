import { PageNotFound, type PageMeta, type PersonalPageContext } from '../page.ts'
import { accountData, type AccountData } from './account.ts'
import { areaData, ROOMS, type AreaData, type Room } from './area.ts'
import { cardpwdData, type CardpwdData } from './cardpwd.ts'
import { collectData, type CollectData } from './collect.ts'
import { linkData, type LinkData } from './link.ts'
import { noticeData, type NoticeData } from './notice.ts'
import { orderData, type OrderData } from './order.ts'

/** What stands beside the frame, by room. */
export type RoomData =
  | ({ readonly room: 'account' } & AccountData)
  | ({ readonly room: 'order' } & OrderData)
  | ({ readonly room: 'cardpwd' } & CardpwdData)
  | ({ readonly room: 'collect' } & CollectData)
  | ({ readonly room: 'notice' } & NoticeData)
  | ({ readonly room: 'link' } & LinkData)

export interface UserData {
  readonly area: AreaData
  readonly title: string
  /** Of the window. */
  readonly head: { readonly title: string; readonly description: string }
  readonly shown: RoomData
}

/** `/user` and its children. The header's links name a room by `type` (specification §2). */
export async function load(page: PersonalPageContext): Promise<UserData> {
  const room = roomOf(page)
  const [area, shown] = await Promise.all([
    areaData(page, room === 'link' ? 'account' : room),
    LOADERS[room](page),
  ])
  const { t } = page
  return {
    area,
    title: room === 'link' ? t('user.account') : t(`user.${room}`),
    head: { title: t(`user.${room}`), description: t(`user.${room}Description`) },
    shown,
  }
}

export function meta(data: UserData): PageMeta {
  return { ...data.head, noIndex: true }
}

const LOADERS: Readonly<
  Record<Room | 'link', (page: PersonalPageContext) => RoomData | Promise<RoomData>>
> = {
  account: async (page) => ({ room: 'account', ...(await accountData(page)) }),
  order: async (page) => ({ room: 'order', ...(await orderData(page)) }),
  cardpwd: async (page) => ({ room: 'cardpwd', ...(await cardpwdData(page)) }),
  collect: async (page) => ({ room: 'collect', ...(await collectData(page)) }),
  notice: async (page) => ({ room: 'notice', ...(await noticeData(page)) }),
  link: async (page) => ({ room: 'link', ...(await linkData(page)) }),
}

function roomOf({ path, query }: PersonalPageContext): Room | 'link' {
  if (path === '/user') return ROOMS[Number(query.get('type')) - 1] ?? 'account'
  const segment = path.split('/')[2]
  if (segment === 'link') return 'link'
  const room = ROOMS.find((name) => name === segment)
  if (!room) throw new PageNotFound()
  return room
}
