import { useLayoutEffect, useRef, type RefObject } from 'react'
import type { FrameData } from '../page.ts'
import { CONSOLE_PATH, NAVIGATION } from '../routes.ts'
import { useT } from '../words.tsx'

/** After G: a page by its letter. */
const PAGES: Readonly<Record<string, string>> = {
  h: 'home',
  o: 'orders',
  d: 'by-hand',
  c: 'cases',
  p: 'money',
  k: 'keys',
}
const GO_MS = 1_500

/** The keys of the frame and of lists. Single letters rest while somebody types. */
export function useShortcuts(
  frame: FrameData,
  palette: RefObject<HTMLDivElement | null>,
  help: RefObject<HTMLDivElement | null>,
): void {
  // The frame is made anew whenever its counts change, between two keys too.
  const goSince = useRef(-Infinity)
  // Heard as soon as it is seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing) return
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        palette.current?.togglePopover()
        palette.current?.querySelector('input')?.focus()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      if (event.timeStamp - goSince.current < GO_MS && key in PAGES) goTo(frame, PAGES[key])
      else if (key === '?') help.current?.togglePopover()
      else if (key === '/') focusFind(event)
      else if (key === 'j' || key === 'k') moveInList(key === 'j' ? 1 : -1)
      goSince.current = key === 'g' ? event.timeStamp : -Infinity
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [frame, palette, help])
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, dialog') !== null)

function goTo({ readable }: FrameData, page: string | undefined): void {
  const entry = NAVIGATION.flatMap(({ entries }) => entries).find((one) => one.page === page)
  if (entry && readable.includes(entry.page))
    location.assign(CONSOLE_PATH + (entry.path === '/' ? '' : entry.path))
}

function focusFind(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLElement>('[role=search] input')
  if (!field) return
  event.preventDefault()
  field.focus()
}

/** Along the links of a list's rows. */
function moveInList(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('#main a.go')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step
  links[next]?.focus()
}

/** What the keys do; opened by ?. */
export function ShortcutHelp({
  id,
  frame,
  ref,
}: {
  readonly id: string
  readonly frame: FrameData
  readonly ref: RefObject<HTMLDivElement | null>
}) {
  const t = useT()
  const pages = Object.entries(PAGES).filter(([, page]) => frame.readable.includes(page))
  return (
    <div
      popover="auto"
      id={id}
      ref={ref}
      className="palette keys-help"
      role="dialog"
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`}>{t('console.keyboard.title')}</h2>
      <dl className="dl">
        <Line keys={['Ctrl', 'K']} text={t('console.keyboard.palette')} />
        <Line keys={['/']} text={t('console.keyboard.find')} />
        <Line keys={['J', 'K']} text={t('console.keyboard.list')} />
        {pages.map(([key, page]) => (
          <Line
            key={key}
            keys={['G', key.toUpperCase()]}
            text={t(`console.${page as 'home'}.nav`)}
          />
        ))}
        <Line keys={['?']} text={t('console.keyboard.help')} />
      </dl>
    </div>
  )
}

function Line({ keys, text }: { readonly keys: readonly string[]; readonly text: string }) {
  return (
    <>
      <dt dir="ltr">
        {keys.map((key) => (
          <kbd key={key} className="kbd">
            {key}
          </kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  )
}
