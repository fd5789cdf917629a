import css from './skeleton.module.css';

/** Grey stand-in of something that loads: a line, half a line, a cover or a block. */
export function Skeleton({ shape = 'line' }: { shape?: 'line' | 'half' | 'cover' | 'block' | undefined }) {
  return <span className={`${css.skel} ${css[shape]}`} aria-hidden="true" />;
}

/** Stand-in of a `Tile`, with its geometry; stands in a `TileGrid`. */
export function TileSkeleton() {
  return (
    <li className={css.tile}>
      <Skeleton shape="cover" />
      <Skeleton />
      <Skeleton shape="half" />
    </li>
  );
}
