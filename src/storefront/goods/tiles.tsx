import { Tile, TileGrid, type TileGridProps } from '#ui/tile.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { GoodsTile } from './tile.ts'

export interface GoodsTilesProps extends Omit<TileGridProps, 'children'> {
  readonly tiles: readonly GoodsTile[]
  /** How many of the first are in sight at once. */
  readonly eager?: number
}

const COVER_WIDTH = 240
const COVER_HEIGHT = 320

/** A grid of products or games. */
export function GoodsTiles({ tiles, eager = 0, ...grid }: GoodsTilesProps) {
  const t = useT()
  const href = useHref()
  const from = t('goods.from')
  return (
    <TileGrid {...grid}>
      {tiles.map((tile, index) => (
        <Tile
          key={tile.path}
          href={href(tile.path)}
          image={{ src: tile.image, width: COVER_WIDTH, height: COVER_HEIGHT }}
          eager={index < eager}
          name={tile.name}
          lang={tile.lang}
          region={tile.note}
          rating={tile.rating}
          delivery={tile.delivery}
          from={tile.from ? from : undefined}
          price={tile.price}
          discount={tile.discount}
        />
      ))}
    </TileGrid>
  )
}
