import type { ApiCalls } from '#api/contract.ts'
import type { HeaderPerson } from '../page.ts'

/** What the header shows of a person; their address and number stay out of what the browser keeps. */
export function headerPerson(info: ApiCalls['user/getUserInfo']['data']): HeaderPerson {
  return {
    nickname: info.nickname,
    avatar: info.avatar,
    noticeCount: info.ext.notice_num,
    cartCount: info.ext.cart_num,
    collectCount: info.ext.collect_num,
    collectDiscount: info.ext.collect_max_discount,
    ...(info.role_id ? { level: info.role_id } : {}),
  }
}
