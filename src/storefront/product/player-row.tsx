import { useEffect, useState } from 'react'
import { useT, type Words } from '../i18n.tsx'
import { person } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'
import type { PlayerState } from './account-check.ts'
import type { Buying } from './buying.ts'
import css from './product.module.css'

/**
 * What the supplier calls the player, and the accounts that a shopper keeps. The page is the same for everybody, so what belongs to somebody
 * comes afterwards; its room is there before, and nothing below it moves.
 */
export function PlayerRow({ buying }: { readonly buying: Buying }) {
  const t = useT()
  const { player } = useStore(buying.state)
  const isKnown = useStore(person) !== null
  const [kept, setKept] = useState<typeof import('./saved-accounts.tsx') | null>(null)
  useEffect(() => {
    if (isKnown) void import('./saved-accounts.tsx').then(setKept, () => undefined)
  }, [isKnown])
  return (
    <div className={css.player}>
      {kept && isKnown ? <kept.SavedAccounts buying={buying} /> : null}
      <p role="status" data-state={player?.state}>
        {player === null ? null : <bdi>{playerText(player, t)}</bdi>}
      </p>
    </div>
  )
}

const TEXTS = {
  asking: 'product.playerChecking',
  valid: 'product.playerFound',
  unchecked: 'product.playerUnchecked',
} as const

function playerText({ state, name }: PlayerState, t: Words['t']): string {
  if (state === 'invalid') return ''
  return name === null ? t(TEXTS[state]) : t('product.player', { name })
}
