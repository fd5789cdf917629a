import { ICON_NAMES, ICON_PATHS, type IconName } from './icon-paths.ts'

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
