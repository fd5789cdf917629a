import { expect, test } from 'vitest'
import { headerPerson } from './header-person.ts'

/** As the call answers, with what must not be kept. */
const INFO = {
  nickname: 'Nora',
  avatar: '/img/upload/a.webp',
  role_id: 2,
  email: 'nora@shop.example',
  mobile: '+49 170 0000000',
  user_name: 'nora77',
  token: 'a-token',
  ext: { notice_num: 1, cart_num: 2, collect_num: 3, collect_max_discount: 4, balance: '12.00' },
} as unknown as Parameters<typeof headerPerson>[0]

test('of a person a browser keeps what its header shows: no address, no number, nothing that opens anything', () => {
  expect(headerPerson(INFO)).toEqual({
    nickname: 'Nora',
    avatar: '/img/upload/a.webp',
    noticeCount: 1,
    cartCount: 2,
    collectCount: 3,
    collectDiscount: 4,
    level: 2,
  })
})
