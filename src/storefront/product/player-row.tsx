import { useEffect, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { checkFields, cleanValues } from '#features/buying/offer/rules.ts'
import { Button } from '#ui/button.tsx'
import { Select } from '#ui/field.tsx'
import { useT, type Words } from '../i18n.tsx'
import { isSameAccount } from '../state/cart.ts'
import { client } from '../state/client.ts'
import { refusalOf } from '../state/refusal.ts'
import { person } from '../state/session.ts'
import { showToast } from '../state/toasts.ts'
import { useStore } from '../state/use-store.ts'
import type { PlayerState } from './account-check.ts'
import type { Buying } from './buying.ts'
import css from './product.module.css'

type Saved = ApiCalls['account/saved']['data']['list']

/**
 * What the supplier calls the player, and the accounts that a shopper keeps. The page is the same for everybody, so it asks by itself for
 * those; their room is there before, and nothing below it moves.
 */
export function PlayerRow({ buying }: { readonly buying: Buying }) {
  const t = useT()
  const { player } = useStore(buying.state)
  const { saved, save } = useSaved(buying, t)
  return (
    <div className={css.player}>
      {saved.length === 0 ? null : (
        <Select
          compact
          aria-label={t('product.savedPick')}
          value=""
          onChange={({ target }) => {
            const chosen = saved.find(({ id }) => id === target.value)
            if (chosen) buying.fill(chosen.fields)
          }}
        >
          <option value="">{t('product.savedPick')}</option>
          {saved.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </Select>
      )}
      {save === null ? null : (
        <Button size="small" onClick={() => void save()}>
          {t('product.savedSave')}
        </Button>
      )}
      <p role="status">{player === null ? null : <bdi>{playerText(player, t)}</bdi>}</p>
    </div>
  )
}

/** Those that fit the product, and the way to keep what is typed; null where that is not complete, or kept already. */
function useSaved({ data: { code, fields }, state }: Buying, t: Words['t']) {
  const isKnown = useStore(person) !== null
  const { values, refusals, player } = useStore(state)
  const [saved, setSaved] = useState<Saved>([])
  useEffect(() => {
    setSaved([])
    if (!isKnown) return
    const asked = new AbortController()
    const options = { showCheckMsg: false, signal: asked.signal }
    client
      .get()
      ?.get('account/saved', { product: code }, options)
      .then(({ list }) => setSaved(list), noneSaved)
    return () => asked.abort()
  }, [code, isKnown])
  const typed = cleanValues(fields, values)
  const isRight = Object.keys({ ...checkFields(fields, values), ...refusals }).length === 0
  const save = async () => {
    const body = { product: code, fields: typed, label: player?.name?.slice(0, 40) }
    try {
      const told = await client.get()?.post('account/save', body, { showCheckMsg: false })
      if (told) setSaved(told.list)
      showToast('ok', t('product.savedDone'))
    } catch (error) {
      showToast('error', refusalOf(error).message)
    }
  }
  const isSaved = saved.some((each) => isSameAccount(each.fields, typed))
  return { saved, save: isKnown && isRight && !isSaved ? save : null }
}

function noneSaved(): void {}

const TEXTS = {
  asking: 'product.playerChecking',
  valid: 'product.playerFound',
  unchecked: 'product.playerUnchecked',
} as const

function playerText({ state, name }: PlayerState, t: Words['t']): string {
  if (state === 'invalid') return ''
  return name === null ? t(TEXTS[state]) : t('product.player', { name })
}
