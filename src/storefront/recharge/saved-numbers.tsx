import { useEffect, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { Button } from '#ui/button.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { useT } from '../i18n.tsx'
import { client } from '../state/client.ts'
import { refusalOf } from '../state/refusal.ts'
import { showToast } from '../state/toasts.ts'
import { typedNumber, typeNumber } from '../state/typed-number.ts'
import { useStore } from '../state/use-store.ts'
import { detection } from './detection.ts'
import type { RechargeData } from './load.ts'
import css from './recharge.module.css'

type Saved = ApiCalls['account/saved']['data']['list']

const phonesOf = (list: Saved) => list.filter(({ fields }) => PHONE_FIELD in fields)

/** Phones that a shopper keeps under names of their own. Nothing of it is in the page that everybody gets. */
export function SavedNumbers({ operator }: Pick<RechargeData, 'operator'>) {
  const t = useT()
  const typed = useStore(typedNumber)
  const { answer } = useStore(detection)
  const [saved, setSaved] = useState<Saved | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    const options = { showCheckMsg: false, signal: controller.signal }
    client
      .get()
      ?.get('account/saved', {}, options)
      .then(({ list }) => setSaved(phonesOf(list)))
      .catch(() => {})
    return () => controller.abort()
  }, [])
  const save = async (product: string) => {
    try {
      const body = { product, fields: { [PHONE_FIELD]: typed } }
      const told = await client.get()?.post('account/save', body, { showCheckMsg: false })
      if (told) setSaved(phonesOf(told.list))
    } catch (error) {
      const { message } = refusalOf(error)
      if (message !== '') showToast('error', message)
    }
  }
  if (saved === null) return null
  const isKept = saved.some(({ fields }) => fields[PHONE_FIELD] === answer?.number)
  const keeps = operator && answer && !isKept ? operator.code : null
  if (saved.length === 0 && keeps === null) return null
  return (
    <section className={css.choice}>
      <SectionHeader title={t('recharge.saved')} />
      <div className="row">
        {saved.map(({ id, label, fields }) => (
          <Button key={id} size="small" onClick={() => typeNumber(fields[PHONE_FIELD] ?? '')}>
            <bdi>{label}</bdi>
          </Button>
        ))}
        {keeps !== null ? (
          <Button size="small" look="ghost" onClick={() => void save(keeps)}>
            {t('recharge.savedSave')}
          </Button>
        ) : null}
      </div>
    </section>
  )
}
