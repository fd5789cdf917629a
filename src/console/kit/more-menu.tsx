import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Icon } from '#ui/icon.tsx'
import { useT } from '../words.tsx'

/** What is done less often, behind one button; closed by what is chosen, by Escape, and by going elsewhere. */
export function MoreMenu({ children }: { readonly children: ReactNode }) {
  const t = useT()
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current) menu.current.open = false
  }
  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    close()
    menu.current?.querySelector('summary')?.focus()
  }
  return (
    <details
      className="more-menu"
      ref={menu}
      onKeyDown={leave}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) close()
      }}
    >
      <summary className="btn edge">
        <Icon name="down" />
        {t('console.more')}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are pressed, it only closes behind them */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that presses a button clicks */}
      <div onClick={close}>{children}</div>
    </details>
  )
}
