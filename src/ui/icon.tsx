import { ICON_NAMES, ICON_PATHS, type IconName } from './icon-paths.ts'

export interface IconProps {
  name: IconName
  className?: string | undefined
}

/** Icons that point somewhere and so mirror in a right-to-left page. */
const POINTING: ReadonlySet<IconName> = new Set(['arrow', 'left', 'right'])

/** Decorative icon in the colour and size of the text around it; the page must hold an `IconSprite`. */
export function Icon({ name, className }: IconProps) {
  const base = POINTING.has(name) ? 'i flip' : 'i'
  return (
    <svg className={className === undefined ? base : `${base} ${className}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}

/** The drawings that `Icon` refers to, once a page. `names` limits them; all of them by default. */
export function IconSprite({ names = ICON_NAMES }: { names?: readonly IconName[] | undefined }) {
  let symbols = ''
  for (const name of names) {
    symbols += `<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${ICON_PATHS[name]}"/></symbol>`
  }
  // The markup is ours alone: one string spares React a hundred elements a page.
  return (
    <svg
      className="sr"
      width="0"
      height="0"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: symbols }}
    />
  )
}
