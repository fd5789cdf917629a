import { useEffect, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { checkFields, cleanValues } from '#features/buying/offer/rules.ts'
import { Button } from '#ui/button.tsx'
import { Select } from '#ui/field.tsx'
import { useT } from '../i18n.tsx'
import { isSameAccount } from '../state/cart.ts'
import { client } from '../state/client.ts'
import { refusalOf } from '../state/refusal.ts'
import { showToast } from '../state/toasts.ts'
import { useStore } from '../state/use-store.ts'
import type { Buying } from './buying.ts'

type Saved = ApiCalls['account/saved']['data']['list']

/** The accounts that a shopper keeps, as far as they fit the product, and the way to keep what is typed. Fetched for who is signed in. */
export function SavedAccounts({ buying }: { readonly buying: Buying }) {
  const t = useT()
  const { saved, save } = useSaved(buying)
  return (
    <>
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
    </>
  )
}

/** `save` is null where what is typed is not complete, or kept already. */
function useSaved({ data: { code, fields }, state }: Buying) {
  const t = useT()
  const { values, refusals, player } = useStore(state)
  const [saved, setSaved] = useState<Saved>([])
  useEffect(() => {
    const asked = new AbortController()
    const options = { showCheckMsg: false, signal: asked.signal }
    client
      .get()
      ?.get('account/saved', { product: code }, options)
      .then(
        ({ list }) => setSaved(list),
        () => undefined,
      )
    return () => asked.abort()
  }, [code])
  const typed = cleanValues(fields, values)
  const isRight = Object.keys({ ...checkFields(fields, values), ...refusals }).length === 0
  const isSaved = saved.some((each) => isSameAccount(each.fields, typed))
  const save = async () => {
    const body = { product: code, fields: typed, label: player?.name?.slice(0, 40) }
    try {
      const told = await client.get()?.post('account/save', body, { showCheckMsg: false })
      if (told) setSaved(told.list)
      showToast('ok', t('product.savedDone'))
    } catch (error) {
      const { message } = refusalOf(error)
      if (message !== '') showToast('error', message)
    }
  }
  return { saved, save: isRight && !isSaved ? save : null }
}
