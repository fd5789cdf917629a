import { useRef } from 'react'
import { Icon } from '#ui/icon.tsx'
import type { FrameData } from '../page.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Me } from './me.tsx'
import { Palette } from './palette.tsx'
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx'

const HELP = 'con-keys'

/** Search, what waits, and who is signed in; above every page. */
export function TopBar({ frame, drawer }: { readonly frame: FrameData; readonly drawer: string }) {
  const t = useT()
  const palette = useRef<HTMLDivElement>(null)
  const help = useRef<HTMLDivElement>(null)
  useShortcuts(frame, palette, help)
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
      <form
        className="find"
        role="search"
        aria-label={t('console.find')}
        action={`${CONSOLE_PATH}/orders`}
      >
        <Icon name="search" />
        <input
          className="clip"
          name="find"
          type="search"
          aria-label={t('console.find')}
          placeholder={t('console.find')}
          autoComplete="off"
          maxLength={200}
        />
        <kbd className="kbd" aria-hidden="true">
          Ctrl K
        </kbd>
      </form>
      <span className="sp" />
      <button
        type="button"
        className="icon-btn wide"
        popoverTarget={HELP}
        aria-label={t('console.keyboard.title')}
        title="?"
      >
        <Icon name="info" />
      </button>
      <Bell frame={frame} />
      <Me operator={frame.operator} />
      <Palette frame={frame} ref={palette} />
      <ShortcutHelp id={HELP} frame={frame} ref={help} />
    </header>
  )
}

/** How many requests wait for this operator's yes or no. */
function Bell({ frame: { readable, counts } }: { readonly frame: FrameData }) {
  const t = useT()
  if (!readable.includes('approvals')) return null
  const count = counts['approvals']?.count ?? 0
  return (
    <a className="icon-btn bell" href={`${CONSOLE_PATH}/approvals`}>
      <Icon name="bell" />
      <span className="sr">{t('console.bell', { count })}</span>
      {count > 0 && (
        <span className="pip" aria-hidden="true">
          {count}
        </span>
      )}
    </a>
  )
}
