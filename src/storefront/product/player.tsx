import { useT, type Words } from '../i18n.tsx'
import { useStore } from '../state/use-store.ts'
import type { Buying } from './buying.ts'
import type { PlayerState } from './account-check.ts'
import css from './product.module.css'

/** What the supplier calls the player. Its room is there before: nothing below it moves. */
export function Player({ buying }: { readonly buying: Buying }) {
  const t = useT()
  const { player } = useStore(buying.state)
  return buying.data.checksAccount ? (
    <p className={css.player} role="status">
      {player === null ? null : <bdi>{playerText(player, t)}</bdi>}
    </p>
  ) : null
}

function playerText({ state, name }: PlayerState, t: Words['t']): string {
  switch (state) {
    case 'asking':
      return t('product.playerChecking')
    case 'valid':
      return name === null ? t('product.playerFound') : t('product.player', { name })
    case 'unchecked':
      return t('product.playerUnchecked')
    case 'invalid':
      return ''
    default:
      return state satisfies never
  }
}
