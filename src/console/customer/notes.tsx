import { useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CustomerData } from './load.ts'

const TEXT_MAX = 2_000

export function AddNote({ shopper }: { readonly shopper: string }) {
  const t = useT()
  const attempt = useAttempt()
  const [text, setText] = useState('')
  async function add(event: FormEvent) {
    event.preventDefault()
    if (!(await attempt.run(() => callConsole('shoppers/note', { shopper, text })))) return
    setText('')
    refreshPage()
  }
  return (
    <form className="bar-f line-t" onSubmit={(event) => void add(event)}>
      <LineField
        label={t('console.customer.note')}
        hint={t('console.customer.noteHint')}
        value={text}
        max={TEXT_MAX}
        write={setText}
        fault={attempt.fields['text']}
        required
        isWide
      />
      <button type="submit" className="btn edge" disabled={attempt.isBusy}>
        {t('console.customer.addNote')}
      </button>
      <Fault text={attempt.fault} />
    </form>
  )
}

export function Notes({
  notes,
  mayChange,
}: {
  readonly notes: CustomerData['notes']
  readonly mayChange: boolean
}) {
  const t = useT()
  const attempt = useAttempt()
  async function remove(id: string) {
    if (await attempt.run(() => callConsole('shoppers/remove_note', { id }))) refreshPage()
  }
  return (
    <>
      <Fault text={attempt.fault} />
      <ul className="units">
        {notes.map((note) => (
          <li key={note.id}>
            <span>
              <bdi>{note.text}</bdi>
              <small>
                {t('console.order.by', { name: note.author })}, {note.at}
              </small>
            </span>
            <span className="p">
              {mayChange && (
                <button
                  type="button"
                  className="btn ghost sm"
                  disabled={attempt.isBusy}
                  onClick={() => void remove(note.id)}
                >
                  {t('console.customer.removeNote')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
