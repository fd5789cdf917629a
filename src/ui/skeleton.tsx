import css from './skeleton.module.css'

/** Grey stand-in of something that loads: a line, half a line, a cover or a block. */
export function Skeleton({
  shape = 'line',
}: {
  shape?: 'line' | 'half' | 'cover' | 'block' | undefined
}) {
  return <span className={`${css.skel} ${css[shape]}`} aria-hidden="true" />
}
