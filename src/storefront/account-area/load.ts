import type { MessageKey } from '#platform/i18n/keys.ts'
import type { SceneName } from '#ui/empty-scene.tsx'
import type { IconName } from '#ui/icon-paths.ts'
import { PageNotFound, type PageContext, type PageMeta } from '../page.ts'
import { isSignInPlatform } from '../text/platforms.ts'

export interface AccountAreaData {
  readonly title: string
  readonly nav: { readonly label: string; readonly items: readonly { readonly icon: IconName; readonly text: string; readonly path: string; readonly current?: true }[] }
  readonly scene: SceneName
  readonly heading: string
  readonly text: string
  readonly links: readonly { readonly text: string; readonly path: string }[]
}

interface Part {
  readonly path: string
  /** Value of the `type` query that the header's links carry (specification §2). */
  readonly type: string
  readonly icon: IconName
  readonly scene: SceneName
  readonly title: MessageKey
  readonly heading: MessageKey
  readonly text: MessageKey
}

const ACCOUNT: Part = {
  path: '/user/account', type: '1', icon: 'user', scene: 'default', title: 'later.account', heading: 'later.accountNone', text: 'later.accountText',
}
const PARTS: readonly Part[] = [
  ACCOUNT,
  { path: '/user/order', type: '2', icon: 'receipt', scene: 'order', title: 'later.order', heading: 'later.orderNone', text: 'later.orderText' },
  { path: '/user/cardpwd', type: '3', icon: 'key', scene: 'default', title: 'later.cardpwd', heading: 'later.cardpwdNone', text: 'later.cardpwdText' },
  { path: '/user/collect', type: '4', icon: 'heart', scene: 'collect', title: 'later.collect', heading: 'later.collectNone', text: 'later.collectText' },
  { path: '/user/notice', type: '5', icon: 'bell', scene: 'notice', title: 'later.notice', heading: 'later.noticeNone', text: 'later.noticeText' },
]
/** Reached from the account's overview, without an entry in the list. */
const LINK: Part = { ...ACCOUNT, path: '/user/link', title: 'later.link', heading: 'later.linkNone', text: 'later.linkText' }
const PROFILE: Part = { ...ACCOUNT, path: '/userDetail', title: 'later.profile', heading: 'later.profileNone', text: 'later.profileText' }

/** `/user` with its children and `/userDetail`. What is personal never stands in the page: it is the same for everybody. */
export function load(page: PageContext): AccountAreaData {
  const { t } = page
  const part = partOf(page)
  return {
    title: t(part.title),
    nav: {
      label: t('later.accountNav'),
      items: PARTS.map(({ path, icon, title, type }) => ({ icon, text: t(title), path, ...(type === part.type ? { current: true as const } : {}) })),
    },
    scene: part.scene,
    heading: t(part.heading),
    text: t(part.text),
    links: [
      { text: t('later.toLogin'), path: `/login?redirect=${encodeURIComponent(part.path)}` },
      { text: t('later.toTopUp'), path: '/top-up' },
    ],
  }
}

function partOf({ path, params, query }: PageContext): Part {
  if (path === '/user') return PARTS.find((part) => part.type === query.get('type')) ?? ACCOUNT
  if (path === PROFILE.path) return PROFILE
  if (path === LINK.path || path.startsWith(`${LINK.path}/`)) {
    if (!isSignInPlatform(params['platform'])) throw new PageNotFound()
    return LINK
  }
  const part = PARTS.find((entry) => entry.path === path)
  if (!part) throw new PageNotFound()
  return part
}

export function meta(data: AccountAreaData): PageMeta {
  return { title: data.title, description: data.text, noIndex: true }
}
