import { useState } from 'react'
import { listPath } from '../lists/names.tsx'
import { Making } from '../products/making.tsx'
import { useChange } from '../products/use-change.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { EntryData } from './load.ts'

/** Taking an entry away that nothing belongs to; else the reason why it stays. */
export function Remove({ data }: { readonly data: EntryData }) {
  const t = useT()
  const [isOpen, open] = useState(false)
  const { uses } = data
  const reason =
    uses === null
      ? t('console.lists.brandStays')
      : t(uses > 0 ? 'console.lists.inUse' : 'console.lists.removeText')
  return (
    <section className="panel stack-2">
      <h2>{t('console.templates.remove')}</h2>
      <p className="hint">{reason}</p>
      {uses === 0 && !isOpen && (
        <div>
          <button type="button" className="btn edge" onClick={() => open(true)}>
            {t('console.product.remove', { name: data.name })}
          </button>
        </div>
      )}
      {isOpen && <Removing data={data} close={() => open(false)} />}
    </section>
  )
}

function Removing({ data, close }: { readonly data: EntryData; readonly close: () => void }) {
  const t = useT()
  const { subject, code } = data.entry
  const change = useChange({
    edits: [{ subject, code, field: 'there', from: data.there, to: null }],
  })
  async function remove() {
    const made = await change.make({ kind: 'editor' })
    if (!made) return
    const after = new URLSearchParams({ removed: made.change ?? '', name: data.name })
    location.assign(`${CONSOLE_PATH}${listPath(data.list)}?${after.toString()}`)
  }
  return (
    <Making
      change={change}
      leave={{ text: t('console.acts.close'), press: close }}
      make={{ text: t('console.templates.remove'), press: remove }}
    />
  )
}
