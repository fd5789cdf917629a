import { useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { sectionsOf, TEXT_MAX, TITLE_MAX } from '#features/office/legal/rules.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField, TextField } from '../kit/fields.tsx'
import { SavedNote } from '../kit/saved-note.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { LegalData } from './bodies.ts'

/** One of the texts. What was typed stays whatever happens; a text that somebody else has changed meanwhile is not overwritten. */
export function LegalForm({ text: shown }: { readonly text: LegalData }) {
  const t = useT()
  const attempt = useAttempt()
  const [typed, setTyped] = useState<{ readonly title: string; readonly text: string } | null>(null)
  const [outcome, setOutcome] = useState<'saved' | 'waits' | null>(null)
  /** Of the text that typing began from. */
  const [version, setVersion] = useState(shown.version)
  const title = typed?.title ?? (shown.title || shown.name)
  const text = typed?.text ?? shown.text
  const isShapeless = text.trim() !== '' && sectionsOf(text) === null
  const write = (part: { readonly title?: string; readonly text?: string }) => {
    if (!typed) setVersion(shown.version)
    setOutcome(null)
    setTyped({ title, text, ...part })
  }
  async function save(event: FormEvent) {
    event.preventDefault()
    const body = { code: shown.code, title, text, version }
    const done = await attempt.run(() =>
      callConsole<{ readonly waits: string | null }>('guide/text', body),
    )
    if (!done) return
    setTyped(null)
    setOutcome(done.waits === null ? 'saved' : 'waits')
    refreshPage()
  }
  const isOwn = shown.version !== '' && !shown.isSample
  return (
    <details className="more legal">
      <summary>
        <b>
          {isOwn && <Icon name="check" />} {shown.name}
        </b>
      </summary>
      <form className="stack-2" aria-label={shown.name} onSubmit={(event) => void save(event)}>
        {shown.isSample && <p className="note warn">{t('console.guide.legal.isSample')}</p>}
        <LineField
          label={t('console.guide.legal.title')}
          value={title}
          max={TITLE_MAX}
          write={(value) => write({ title: value })}
          fault={attempt.fields['title']}
        />
        <TextField
          label={t('console.guide.legal.text')}
          rows={12}
          value={text}
          max={TEXT_MAX}
          write={(value) => write({ text: value })}
          fault={isShapeless ? t('console.guide.legal.shape') : attempt.fields['text']}
        />
        <Fault text={attempt.fault} />
        <SavedNote outcome={outcome} />
        <div className="row wrapx">
          {shown.sample && text.trim() === '' && (
            <SampleButton sample={shown.sample} write={write} />
          )}
          <button
            type="submit"
            className="btn solid"
            disabled={attempt.isBusy || typed === null || isShapeless}
          >
            {t('console.settings.save')}
          </button>
        </div>
      </form>
    </details>
  )
}

function SampleButton({
  sample,
  write,
}: {
  readonly sample: NonNullable<LegalData['sample']>
  readonly write: (sample: NonNullable<LegalData['sample']>) => void
}) {
  const t = useT()
  return (
    <button type="button" className="btn edge" onClick={() => write(sample)}>
      {t('console.guide.legal.sample')}
    </button>
  )
}
