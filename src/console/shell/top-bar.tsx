import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import type { FrameData } from '../page.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

const ME = 'con-me'

async function signOut(): Promise<void> {
  await callConsole('sign_out')
  location.assign(`${CONSOLE_PATH}/sign-in`)
}

/** Search, what waits, and who is signed in; above every page. */
export function TopBar({ frame, drawer }: { readonly frame: FrameData; readonly drawer: string }) {
  const t = useT()
  const { shownName, role } = frame.operator
  return (
    <header className="con-top">
      <button
        type="button"
        className="icon-btn con-only-s"
        popoverTarget={drawer}
        aria-label={t('console.menu')}
      >
        <Icon name="menu" />
      </button>
      <form className="find" role="search" action={`${CONSOLE_PATH}/orders`}>
        <Icon name="search" />
        <input
          className="clip"
          name="find"
          type="search"
          aria-label={t('console.find')}
          placeholder={t('console.find')}
          autoComplete="off"
        />
      </form>
      <span className="sp" />
      <button type="button" className="me" popoverTarget={ME}>
        <span className="av" aria-hidden="true">
          {initials(shownName)}
        </span>
        <span className="who">
          <b dir="auto">{shownName}</b>
          <small>{role}</small>
        </span>
      </button>
      <div popover="auto" id={ME} className="pop end me-pop">
        <button type="button" onClick={() => void signOut()}>
          {t('console.signOut')}
        </button>
      </div>
    </header>
  )
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
