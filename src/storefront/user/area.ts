import { collectFigures } from '#features/people/favourite/queries.ts'
import { countUnreadNotices } from '#features/people/notice/queries.ts'
import { countBought } from '#features/buying/order/queries.ts'
import { isFresh, type Person } from '#features/people/session/rules.ts'
import { uploadAddress } from '#features/goods/upload/rules.ts'
import { formatCount } from '#platform/i18n/format.ts'
import { formatReduction } from '#platform/i18n/percent.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { IconName } from '#ui/icon-paths.ts'
import type { PersonalPageContext } from '../page.ts'

export const ROOMS = ['account', 'order', 'cardpwd', 'collect', 'notice'] as const
/** A room of the account area, as its address names it. */
export type Room = (typeof ROOMS)[number]

/** The frame of the account area: whose it is, and the way to its rooms. */
export interface AreaData {
  readonly who: { readonly name: string; readonly note: string; readonly picture?: string }
  readonly label: string
  readonly links: readonly AreaLink[]
}

interface AreaLink {
  readonly icon: IconName
  readonly text: string
  readonly path: string
  readonly current?: true
  readonly count?: { readonly text: string; readonly label: string }
  readonly discount?: string
}

const ICONS: Readonly<Record<Room, IconName>> = {
  account: 'user',
  order: 'receipt',
  cardpwd: 'key',
  collect: 'heart',
  notice: 'bell',
}

/** Who a page with `access: 'person'` is made for. */
export function ownerOf(page: Pick<PersonalPageContext, 'person'>): Person {
  if (!page.person) throw new Error('the route lets visitors in')
  return page.person
}

/** Whether the person has just proved to be the owner, so that no form needs to ask again. */
export function isProved(page: Pick<PersonalPageContext, 'person' | 'ctx'>): boolean {
  return isFresh(ownerOf(page), page.ctx.now())
}

export async function areaData(page: PersonalPageContext, current: Room): Promise<AreaData> {
  const { t, ctx, shop, language } = page
  const person = ownerOf(page)
  const [collected, unread, bought] = await Promise.all([
    collectFigures(ctx.db, shop, person.accountId),
    countUnreadNotices(ctx.db, person.accountId),
    countBought(ctx.db, person.accountId),
  ])
  const counted = (count: number, label: MessageKey): Pick<AreaLink, 'count'> =>
    count === 0
      ? {}
      : { count: { text: formatCount(language.code, count), label: t(label, { count }) } }
  const figures: Readonly<Record<Room, Pick<AreaLink, 'count' | 'discount'>>> = {
    account: {},
    order: counted(bought.orders, 'user.orderCount'),
    cardpwd: counted(bought.keys, 'user.cardpwdCount'),
    collect: {
      ...counted(collected.collect_num, 'user.collectCount'),
      ...(collected.collect_max_discount > 0
        ? { discount: formatReduction(language.code, collected.collect_max_discount) }
        : {}),
    },
    notice: counted(unread, 'user.noticeCount'),
  }
  return {
    who: {
      name: person.nickname,
      note: t('user.uid', { uid: person.uid }),
      ...(person.avatar === null ? {} : { picture: uploadAddress(person.avatar) }),
    },
    label: t('user.nav'),
    links: ROOMS.map((room) => ({
      icon: ICONS[room],
      text: t(`user.${room}`),
      path: `/user/${room}`,
      ...(room === current ? { current: true as const } : {}),
      ...figures[room],
    })),
  }
}
