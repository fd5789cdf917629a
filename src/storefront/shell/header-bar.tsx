import type { Translate } from '#platform/i18n/messages.ts'
import { Header, type DrawerProps, type NavEntry } from '#ui/header.tsx'
import { useHref, useT, useWords } from '../i18n.tsx'
import { island } from '../islands.ts'
import type { NavigationGroup, PagePayload, ShellData } from '../page.ts'
import { cartBadge } from '../state/cart.ts'
import { AccountMenu } from './account-menu.tsx'
import { SearchIsland } from './live-search.tsx'
import css from './shell.module.css'

/** While paying, currency and language stay what the order was begun in. */
const WITHOUT_LOCALE = new Set(['/order/cashier', '/order/pay'])
/** On a phone what is bought comes first: the search is a sign that leads to its page. */
const WITH_SEARCH_LINK = new Set(['product', 'order-detail', 'recharge'])
/** These lead back to where they were opened from, not to themselves. */
const DETOURS = new Set(['/language_currency', '/login', '/register'])

/** Head of the page. No search box on /search; no language chip while paying (specification §2). */
export function HeaderBar({
  shell,
  payload,
}: {
  readonly shell: ShellData
  readonly payload: PagePayload
}) {
  const { address, page } = payload
  const t = useT()
  const href = useHref()
  const { language } = useWords()
  // Of a personal page; the browser knows it for the others (`browser/cart-badge.ts`).
  const badge = cartBadge(payload.person?.cartCount ?? 0)
  const path = address.split('?')[0] ?? '/'
  const back = DETOURS.has(path)
    ? (new URLSearchParams(address.slice(path.length)).get('redirect') ?? '/')
    : address
  return (
    <Header
      logo={{
        href: href('/'),
        label: t('shell.homeLabel', { shop: shell.shop }),
        name: shell.shop,
      }}
      nav={{ label: t('shell.menu'), entries: entriesOf({ shell, t, href, path }) }}
      drawer={drawerOf({ t, href, path, back, name: payload.person?.nickname })}
      search={
        page === 'search' ? undefined : (
          <SearchIsland
            id="header-search"
            label={t('shell.searchLabel')}
            landmark={t('search.submit')}
          />
        )
      }
      searchLink={
        WITH_SEARCH_LINK.has(page)
          ? { href: href('/search'), label: t('search.submit') }
          : undefined
      }
      searchOnlyWide={page === 'home' || page === 'cashier' || page === 'pay'}
      locale={
        WITHOUT_LOCALE.has(path)
          ? undefined
          : {
              href: href(`/language_currency?redirect=${encodeURIComponent(back)}`),
              label: t('shell.languageAndCurrency'),
              language: language.toUpperCase(),
              currency: shell.currency.code,
            }
      }
      cart={{
        href: href('/shop-cart'),
        label: badge === null ? t('shell.cart') : t('shell.cartWith', { count: badge }),
        count: badge ?? undefined,
        'data-cart': t('shell.cart'),
        'data-cart-with': t('shell.cartWith', { count: '{count}' }),
      }}
      account={
        <div className={css.account} {...island('account')} data-back={back}>
          <AccountMenu person={payload.person} back={back} />
        </div>
      }
    />
  )
}

function entriesOf({
  shell,
  t,
  href,
  path,
}: {
  readonly shell: ShellData
  readonly t: Translate
  readonly href: (path: string) => string
  readonly path: string
}): readonly NavEntry[] {
  return [
    ...shell.navigation.map((group) =>
      navigationEntry(group, path, href, {
        all: t('shell.allOf', { category: group.title }),
        popular: t('shell.searchHot'),
      }),
    ),
    // The news are one address for all languages, opened beside the shop (specification §2).
    { text: t('shell.news'), href: '/news', target: '_blank' },
  ]
}

/** The head of the drawer is a door until the browser knows who is signed in (`browser/drawer-person.ts`). */
function drawerOf({
  t,
  href,
  path,
  back,
  name,
}: {
  readonly t: Translate
  readonly href: (path: string) => string
  readonly path: string
  readonly back: string
  readonly name: string | undefined
}): DrawerProps {
  return {
    openLabel: t('shell.menu'),
    closeLabel: t('shell.close'),
    person: {
      href: href(name === undefined ? `/login?redirect=${encodeURIComponent(back)}` : '/user'),
      name: name ?? t('shell.signIn'),
      visitor: t('shell.signIn'),
    },
    quick: [
      { href: href('/user?type=2'), icon: 'receipt', text: t('shell.orders') },
      { href: href('/user?type=3'), icon: 'key', text: t('shell.cardPasswords') },
      { href: href('/user?type=4'), icon: 'heart', text: t('shell.favourites') },
    ],
    links: [{ text: t('api.footerSupport'), href: href('/support'), current: path === '/support' }],
  }
}

/** A category with its sub-categories behind it; the first link leads to all of them. */
function navigationEntry(
  group: NavigationGroup,
  path: string,
  href: (path: string) => string,
  texts: { readonly all: string; readonly popular: string },
): NavEntry {
  if (group.items.length === 0)
    return { text: group.title, href: href(group.path), current: path === group.path }
  return {
    text: group.title,
    items: [
      { text: texts.all, href: href(group.path), current: path === group.path },
      ...group.items.map((item) => ({
        text: item.title,
        href: href(item.path),
        current: path === item.path,
      })),
    ],
    covers:
      group.popular.length === 0
        ? undefined
        : {
            title: texts.popular,
            items: group.popular.map((tile) => ({
              text: tile.name,
              href: href(tile.path),
              image: tile.image,
              lang: tile.lang,
            })),
          },
  }
}
