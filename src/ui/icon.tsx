import type { IconName } from './icon-paths.ts'

export interface IconProps {
  name: IconName
  className?: string | undefined
}

/** Icons that point somewhere and so mirror in a right-to-left page. */
const POINTING: ReadonlySet<IconName> = new Set(['arrow', 'left', 'right'])

/**
 * Decorative icon in the colour and size of the text around it; the page must hold an `IconSprite`. The attributes give its size where
 * no style sheet does.
 */
export function Icon({ name, className }: IconProps) {
  const base = POINTING.has(name) ? 'i flip' : 'i'
  return (
    <svg
      className={className === undefined ? base : `${base} ${className}`}
      width="20"
      height="20"
      aria-hidden="true"
    >
      <use href={`#i-${name}`} />
    </svg>
  )
}
