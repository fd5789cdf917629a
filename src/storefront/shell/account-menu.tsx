import { useEffect } from 'react'
import { AvatarLink, AvatarMenu } from '#ui/header.tsx'
import { MenuButton, MenuLink } from '#ui/menu.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT, useWords } from '../i18n.tsx'
import { localPath } from '../local-path.ts'
import type { HeaderPerson } from '../page.ts'
import { hasGone, person as knownPerson, signOut } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'
import { showToast } from '../state/toasts.ts'

/** The person signed in with the way to what is theirs, or the door for a visitor. */
export function AccountMenu({
  person,
  back,
}: {
  readonly person: HeaderPerson | undefined
  readonly back: string
}) {
  const t = useT()
  const href = useHref()
  const known = useStore(knownPerson)
  const shown = useStore(hasGone) ? undefined : (known ?? person)
  useLevel(shown?.level)
  if (!shown)
    return (
      <AvatarLink
        label={t('shell.signIn')}
        href={href(`/login?redirect=${encodeURIComponent(back)}`)}
      />
    )
  const unread = shown.noticeCount > 99 ? '99+' : String(shown.noticeCount)
  const hasNews = shown.noticeCount > 0
  return (
    <AvatarMenu
      label={
        hasNews
          ? t('shell.accountOfWith', { name: shown.nickname, count: shown.noticeCount })
          : t('shell.accountOf', { name: shown.nickname })
      }
      person={{ name: shown.nickname, ...(shown.avatar === '' ? {} : { picture: shown.avatar }) }}
      count={hasNews ? unread : undefined}
    >
      <MenuLink icon="user" href={href('/user?type=1')}>
        {t('shell.account')}
      </MenuLink>
      <MenuLink icon="receipt" href={href('/user?type=2')}>
        {t('shell.orders')}
      </MenuLink>
      <MenuLink icon="key" href={href('/user?type=3')}>
        {t('shell.cardPasswords')}
      </MenuLink>
      <MenuLink
        icon="heart"
        href={href('/user?type=4')}
        note={shown.collectCount > 0 ? String(shown.collectCount) : undefined}
        discount={shown.collectDiscount > 0 ? `\u200e−${shown.collectDiscount}%` : undefined}
      >
        {t('shell.favourites')}
      </MenuLink>
      <MenuLink icon="bell" href={href('/user?type=5')} note={hasNews ? unread : undefined}>
        {t('shell.notices')}
      </MenuLink>
      <SignOut />
    </AvatarMenu>
  )
}

/** Pages are the same for everybody: who has a level sees its prices after them. */
function useLevel(level: number | undefined): void {
  const { language } = useWords()
  useEffect(() => {
    if (level)
      void import('../goods/tile-prices.ts').then((module) =>
        module.showTilePrices(level, language),
      )
  }, [level, language])
}

function SignOut() {
  const t = useT()
  const { prefix } = useWords()
  const { address } = usePageState()
  return (
    <form
      method="post"
      action={localPath(prefix, '/user')}
      onSubmit={(event) => {
        event.preventDefault()
        void signOut(prefix).then((isOut) => isOut || showToast('error', t('shell.signOutFailed')))
      }}
    >
      <input type="hidden" name={FORM_FIELD} value="signOut" />
      <input type="hidden" name="address" value={address} />
      <MenuButton type="submit" icon="out">
        {t('shell.signOut')}
      </MenuButton>
    </form>
  )
}
