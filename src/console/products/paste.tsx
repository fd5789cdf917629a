import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { TextField } from '../kit/fields.tsx'
import { useT } from '../words.tsx'
import type { Edits, PasteFault } from './edits.ts'

const TEXT_MAX = 300_000

/** A table that was copied from a spreadsheet, for goods wherever they stand in the list. */
export function PasteTable({
  edits,
  fromOf,
}: {
  readonly edits: Edits
  readonly fromOf: (code: string, field: string) => unknown
}) {
  const t = useT()
  const [text, setText] = useState('')
  const [told, setTold] = useState<{
    readonly count: number
    readonly faults: readonly PasteFault[]
  } | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function read() {
    setBusy(true)
    const pasted = await edits.paste(text, [], ['price'], fromOf)
    setBusy(false)
    if (typeof pasted === 'string') return setFault(pasted)
    setFault(null)
    setTold({ count: pasted.edits.length, faults: pasted.faults })
    if (pasted.faults.length === 0) setText('')
  }
  return (
    <details className="panel">
      <summary>
        <Icon name="copy" />
        {t('console.products.paste.title')}
      </summary>
      <form
        className="stack-2"
        onSubmit={(event) => {
          event.preventDefault()
          void read()
        }}
      >
        <TextField
          label={t('console.products.paste.title')}
          hint={t('console.products.paste.text')}
          rows={6}
          value={text}
          max={TEXT_MAX}
          write={setText}
          fault={undefined}
        />
        <button type="submit" className="btn edge" disabled={isBusy || text.trim() === ''}>
          {t('console.products.paste.read')}
        </button>
        <Fault text={fault} />
        {told && (
          <div role="status">
            <p>{t('console.products.paste.done', { count: told.count })}</p>
            <PasteFaults faults={told.faults} />
          </div>
        )}
      </form>
    </details>
  )
}

const SHOWN = 20

/** What is wrong with a table, where it stands in it. */
export function PasteFaults({ faults }: { readonly faults: readonly PasteFault[] }) {
  const t = useT()
  if (faults.length === 0) return null
  return (
    <ul className="faults">
      {faults.slice(0, SHOWN).map(({ line, column, text, msg }) => (
        <li key={`${line} ${column}`}>
          <b>{t('console.products.paste.fault', { line, column })}</b> <bdi>{text}</bdi> {msg}
        </li>
      ))}
    </ul>
  )
}
