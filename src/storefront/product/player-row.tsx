import { useEffect, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { checkFields, cleanValues } from '#features/buying/offer/rules.ts'
import { Button } from '#ui/button.tsx'
import { Select } from '#ui/field.tsx'
import { useT, type Words } from '../i18n.tsx'
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
function useSaved(buying: Buying, t: Words['t']) {
  const { code, fields } = buying.data
  const isKnown = useStore(person) !== null
  const { values, refusals, player } = useStore(buying.state)
  const [saved, setSaved] = useState<Saved>([])
  useEffect(() => {
    if (!isKnown) return setSaved([])
    const asked = new AbortController()
    void askFor(code, asked.signal).then(setSaved, () => undefined)
    return () => asked.abort()
  }, [code, isKnown])
  const typed = cleanValues(fields, values)
  const isRight =
    Object.keys(checkFields(fields, values)).length + Object.keys(refusals).length === 0
  const isSaved = saved.some((each) => textOf(each.fields) === textOf(typed))
  const save = async () => {
    try {
      await client.get()?.post(
        'account/save',
        {
          product: code,
          fields: typed,
          ...(player?.name ? { label: player.name.slice(0, 40) } : {}),
        },
        { showCheckMsg: false, showErrorMsg: true },
      )
      setSaved(await askFor(code))
      showToast('ok', t('product.savedDone'))
    } catch (error) {
      const { message } = refusalOf(error)
      if (message !== '') showToast('error', message)
    }
  }
  return { saved, save: isKnown && isRight && !isSaved ? save : null }
}

async function askFor(product: string, signal?: AbortSignal): Promise<Saved> {
  const told = await client
    .get()
    ?.get(
      'account/saved',
      { product },
      { needToken: true, showCheckMsg: false, ...(signal ? { signal } : {}) },
    )
  return told?.list ?? []
}

const textOf = (fields: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(fields).sort())

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
