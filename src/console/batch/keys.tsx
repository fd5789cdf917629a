import { useEffect, useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { BatchData, KeyRow } from './load.ts'

const SHOWN_MS = 60_000

interface Props {
  readonly data: BatchData
  readonly selected: ReadonlySet<string>
  readonly onSelect: (selected: ReadonlySet<string>) => void
}

/** Keys of the batch in one state: their last characters alone, and who got them. */
export function Keys({ data, selected, onSelect }: Props) {
  const t = useT()
  const isMoved = data.mayImport && (data.status === 'free' || data.status === 'quarantined')
  function toggle(id: string) {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  return (
    <div className="scrollx">
      <table className="fold">
        <thead>
          <tr>
            <th>{t('console.keys.key')}</th>
            <th>{t('console.keys.expiresOn')}</th>
            <th>{t('console.orders.order')}</th>
            <th className="c1">{t('console.keys.seenAt')}</th>
            <th>
              <span className="sr">{t('console.keys.see')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.keys.map((key) => (
            <tr key={key.id}>
              <td className="t">
                <label className="row">
                  {isMoved && (
                    <input
                      type="checkbox"
                      checked={selected.has(key.id)}
                      onChange={() => toggle(key.id)}
                    />
                  )}
                  <bdi className="mono">····{key.endsIn}</bdi>
                </label>
              </td>
              <td className="num a">{key.expires}</td>
              <td className="m">
                {key.order && <OrderLink number={key.order} />}{' '}
                {key.isReported && (
                  <span className="badge bad">{t('console.keys.view.reported')}</span>
                )}
              </td>
              <td className="c1 num">{key.seen}</td>
              <td className="end">{data.maySee && <See row={key} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Revealed {
  readonly parts: readonly {
    readonly name: string
    readonly label: string
    readonly value: string
  }[]
  readonly url: string | null
  readonly picture: string | null
}

/** Shows what one key says for a minute, after a reason and a fresh proof. */
function See({ row }: { readonly row: KeyRow }) {
  const t = useT()
  const attempt = useAttempt()
  const [isOpen, open] = useState(false)
  const [shown, setShown] = useState<Revealed | null>(null)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  if (shown)
    return (
      <div aria-live="polite">
        {shown.parts.map(({ name, label, value }) => (
          <p key={name}>
            {label} <bdi className="mono">{value}</bdi>
          </p>
        ))}
        {shown.url !== null && <bdi className="mono">{shown.url}</bdi>}
        {shown.picture !== null && <img src={shown.picture} alt="" width="240" />}
        <button type="button" className="btn ghost sm" onClick={() => setShown(null)}>
          {t('console.keys.hide')}
        </button>
      </div>
    )
  if (!isOpen)
    return (
      <button type="button" className="btn edge sm" onClick={() => open(true)}>
        {t('console.keys.see')}
      </button>
    )
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        const reason = String(new FormData(event.currentTarget).get('reason'))
        void attempt
          .run(() => callConsole<Revealed>('keys/see', { key: row.id, reason }))
          .then((revealed) => {
            setShown(revealed)
            if (revealed) open(false)
          })
      }}
    >
      <p className="hint">{t('console.keys.seeText')}</p>
      <Labelled id={`see-${row.id}`} label={t('console.reason')} fault={attempt.fields['reason']}>
        <input
          className="input"
          id={`see-${row.id}`}
          name="reason"
          required
          minLength={3}
          maxLength={300}
        />
      </Labelled>
      <Fault text={attempt.fault} />
      <div className="row">
        <button type="submit" className="btn solid sm" disabled={attempt.isBusy}>
          {t('console.keys.see')}
        </button>
      </div>
    </form>
  )
}
