import { ALL_GOODS } from '#features/browse/rules.ts'
import { listProducts } from '#features/browse/queries.ts'
import { GOODS_TYPE } from '#features/catalogue/rules.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { pictureAddress } from '../goods/picture.ts'
import { PageNotFound, type PageContext, type PageMeta } from '../page.ts'
import { safePath } from '../server/safe-path.ts'

export interface SignInData {
  readonly title: string
  readonly text: string
  readonly points: readonly string[]
  readonly links: readonly { readonly text: string; readonly path: string }[]
  /** Pictures of the wall of cards. */
  readonly covers: readonly string[]
}

interface Door {
  readonly title: MessageKey
  readonly text: MessageKey
  readonly other: { readonly path: string; readonly text: MessageKey }
}

const TO_LOGIN = { path: '/login', text: 'later.toLogin' } as const
const DOORS: Readonly<Record<string, Door>> = {
  '/login': { title: 'later.login', text: 'later.loginText', other: { path: '/register', text: 'later.toRegister' } },
  '/login/bind': { title: 'later.bind', text: 'later.bindText', other: TO_LOGIN },
  '/register': { title: 'later.register', text: 'later.registerText', other: TO_LOGIN },
  '/reset-password': { title: 'later.resetPassword', text: 'later.resetPasswordText', other: TO_LOGIN },
}

const COVERS = 12

export function load({ path, query, t, shop, language, currency }: PageContext): SignInData {
  const door = DOORS[path]
  if (!door) throw new PageNotFound()
  const cards = listProducts(shop, { ...ALL_GOODS, type: GOODS_TYPE.card, isHome: true, limit: COVERS }, language.code, currency).list
  return {
    title: t(door.title),
    text: t(door.text),
    points: [t('later.pointBrowse'), t('later.pointCart'), t('later.pointChoice')],
    links: [
      { text: t('later.goOn'), path: safePath(query.get('redirect')) },
      { text: t(door.other.text), path: door.other.path },
    ],
    covers: cards.map((product) => pictureAddress(shop, 'goods_thumb_3_4', product.picture ?? product.brand.picture)),
  }
}

export function meta(data: SignInData): PageMeta {
  return { title: data.title, description: data.text, noIndex: true }
}
