import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import type { FrameData } from '../page.ts'
import { CONSOLE_PATH, NAVIGATION } from '../routes.ts'
import { useT } from '../words.tsx'

interface Choice {
  /** Left out for a search: what is looked for stands in no address. */
  readonly href?: string
  readonly text: string
  readonly icon: 'search' | 'arrow'
}

interface Found {
  readonly handle: string
}

/** One box for everything: looks for what is typed, and goes to pages by their name. Opened by ⌘K or Ctrl K. */
export function Palette({
  frame,
  ref,
}: {
  readonly frame: FrameData
  readonly ref: RefObject<HTMLDivElement | null>
}) {
  const t = useT()
  const list = useId()
  const [typed, type] = useState('')
  const [at, moveTo] = useState(0)
  const { find, fault } = useFind(ref)
  const choices = useChoices(frame, typed.trim())
  const chosen = Math.min(at, choices.length - 1)
  useEffect(() => {
    const own = ref.current
    // Emptied as it closes: whoever opens it types at once.
    const closed = (event: Event) => {
      if ((event as ToggleEvent).newState === 'open') return
      type('')
      moveTo(0)
    }
    own?.addEventListener('toggle', closed)
    return () => own?.removeEventListener('toggle', closed)
  }, [ref])

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      moveTo((chosen + step + choices.length) % Math.max(1, choices.length))
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      document.getElementById(`${list}-${chosen}`)?.click()
    }
  }

  return (
    <div popover="auto" ref={ref} className="palette" role="dialog" aria-label={t('console.find')}>
      <div className="q">
        <Icon name="search" />
        <input
          value={typed}
          onChange={(event) => {
            type(event.currentTarget.value)
            moveTo(0)
          }}
          onKeyDown={press}
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={choices.length > 0 ? `${list}-${chosen}` : undefined}
          aria-label={t('console.find')}
          placeholder={t('console.find')}
          autoComplete="off"
          maxLength={200}
        />
      </div>
      <Choices
        id={list}
        choices={choices}
        chosen={chosen}
        close={() => ref.current?.hidePopover()}
        find={() => void find(typed.trim())}
      />
      <Fault text={fault} />
      <p className="ft2">{t('console.palette.hint')}</p>
    </div>
  )
}

/** Looks for orders: what is looked for goes in no address, but what stands for it does. */
function useFind(ref: RefObject<HTMLDivElement | null>) {
  const { run, fault } = useAttempt()
  async function find(text: string) {
    const found = await run(() => callConsole<Found>('orders/find', { text }))
    if (!found) return
    ref.current?.hidePopover()
    location.assign(`${CONSOLE_PATH}/orders?found=${found.handle}`)
  }
  return { find, fault }
}

function Choices({
  id,
  choices,
  chosen,
  close,
  find,
}: {
  readonly id: string
  readonly choices: readonly Choice[]
  readonly chosen: number
  readonly close: () => void
  readonly find: () => void
}) {
  const t = useT()
  return (
    <div className="res" id={id} role="listbox" aria-label={t('console.palette.results')}>
      {choices.map(({ href, text, icon }, index) => (
        <a
          key={href ?? 'find'}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          href={href ?? `${CONSOLE_PATH}/orders`}
          onClick={(event) => {
            if (href !== undefined) return close()
            event.preventDefault()
            find()
          }}
        >
          <Icon name={icon} />
          <span>{text}</span>
        </a>
      ))}
    </div>
  )
}

function useChoices({ readable }: FrameData, typed: string): readonly Choice[] {
  const t = useT()
  const pages = NAVIGATION.flatMap(({ entries }) => entries)
    .filter(({ page }) => readable.includes(page))
    .map(({ page, path }) => ({
      href: CONSOLE_PATH + (path === '/' ? '' : path),
      text: t(`console.${page as 'home'}.nav`),
      icon: 'arrow' as const,
    }))
  if (typed === '') return pages
  const found = readable.includes('orders')
    ? [
        {
          text: t('console.palette.find', { text: typed }),
          icon: 'search' as const,
        },
      ]
    : []
  const wanted = typed.toLocaleLowerCase()
  return [...found, ...pages.filter(({ text }) => text.toLocaleLowerCase().includes(wanted))]
}
