import { useEffect, useId, useState } from 'react'
import type { TextWarning } from '#features/office/text/engine/compare.ts'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { TextData, TextsData } from './load.ts'

interface TextEffect {
  readonly before: string
  readonly after: string
  readonly warnings: readonly TextWarning[]
}

interface FormProps extends Pick<TextsData, 'language' | 'tag' | 'dir'> {
  readonly text: TextData
}

const SETTLE_MS = 300

/** One text: the original beside the field, what would be shown, and what was said of it. */
export function TextForm({ text, language, tag, dir }: FormProps) {
  const t = useT()
  const id = useId()
  const editing = useText(text, language)
  const { typed, attempt, told, shown } = editing
  const fault = attempt.fields['text'] ?? told.fault
  return (
    <form
      className="panel stack-2"
      aria-label={text.key}
      id={text.key}
      onSubmit={(event) => {
        event.preventDefault()
        if (typed) void editing.save(typed.text, typed.version)
      }}
    >
      <p className="row between wrapx">
        <a className="mono tiny" dir="ltr" href={`#${text.key}`}>
          {text.key}
        </a>
        {text.own && <span className="tiny muted">{t('console.settings.changed', text.own)}</span>}
      </p>
      <div className="set-t">
        <Originals text={text} language={language} tag={tag} dir={dir} />
        <Labelled id={id} label={t('console.texts.own')} fault={fault}>
          <textarea
            id={id}
            className="input"
            rows={2}
            lang={tag}
            dir={dir}
            maxLength={4_000}
            value={typed?.text ?? shown}
            aria-invalid={fault !== undefined}
            onChange={(event) => editing.write(event.target.value)}
          />
        </Labelled>
      </div>
      {text.isOriginalChanged && <p className="note warn">{t('console.texts.originalChanged')}</p>}
      {editing.isStale && <Stale text={text} editing={editing} />}
      {typed && told.effect && <EffectBox effect={told.effect} tag={tag} dir={dir} />}
      <Fault text={attempt.fault} />
      <p role="status" className={editing.isSaved ? 'note ok' : 'sr'}>
        {editing.isSaved && t('console.texts.saved')}
      </p>
      <Acts text={text} editing={editing} />
    </form>
  )
}

type Editing = ReturnType<typeof useText>

/** Words that are being changed, of the version they were begun with. */
function useText(text: TextData, language: string) {
  const attempt = useAttempt()
  const shown = text.own?.text ?? text.original
  const [typed, setTyped] = useState<{ readonly text: string; readonly version: string } | null>(
    null,
  )
  const [isSaved, setSaved] = useState(false)
  return {
    attempt,
    shown,
    typed,
    isSaved,
    told: useEffectOf({ language, key: text.key }, typed?.text ?? null),
    isStale: typed !== null && typed.version !== text.version,
    write(next: string) {
      setSaved(false)
      setTyped(next === shown ? null : { text: next, version: typed?.version ?? text.version })
    },
    keepMine: () => setTyped(typed && { ...typed, version: text.version }),
    drop: () => setTyped(null),
    async save(words: string | null, version: string) {
      const body = { language, key: text.key, text: words, version }
      const done = await attempt.run(() => callConsole('texts/change', body))
      refreshPage()
      if (!done) return
      setTyped(null)
      setSaved(true)
    },
  }
}

function Originals({ text, language, tag, dir }: FormProps) {
  const t = useT()
  return (
    <dl className="stack-2 small">
      <div>
        <dt className="muted">{t('console.texts.original')}</dt>
        <dd lang={tag} dir={dir}>
          {text.original}
        </dd>
      </div>
      {language !== 'en' && (
        <div>
          <dt className="muted">{t('console.texts.english')}</dt>
          <dd lang="en" dir="ltr">
            {text.english}
          </dd>
        </div>
      )}
    </dl>
  )
}

interface PartProps {
  readonly text: TextData
  readonly editing: Editing
}

/** Somebody else's words since: nothing is overwritten before one is chosen. */
function Stale({ text, editing }: PartProps) {
  const t = useT()
  return (
    <div className="note warn stack-2" role="alert">
      <p>{t('console.settings.meanwhile', { name: text.own?.by ?? '', value: editing.shown })}</p>
      <div className="row wrapx">
        <button type="button" className="btn edge sm" onClick={editing.keepMine}>
          {t('console.settings.keepMine')}
        </button>
        <button type="button" className="btn edge sm" onClick={editing.drop}>
          {t('console.settings.takeTheirs')}
        </button>
      </div>
    </div>
  )
}

function Acts({ text, editing: { typed, attempt, isStale, drop, save } }: PartProps) {
  const t = useT()
  return (
    <div className="row wrapx">
      {typed && (
        <>
          <button type="submit" className="btn solid sm" disabled={attempt.isBusy || isStale}>
            {t('console.settings.save')}
          </button>
          <button type="button" className="btn ghost sm" onClick={drop}>
            {t('console.settings.undo')}
          </button>
        </>
      )}
      {text.own && !typed && (
        <button
          type="button"
          className="btn edge sm"
          disabled={attempt.isBusy}
          onClick={() => void save(null, text.version)}
        >
          {t('console.texts.takeBack')}
        </button>
      )}
    </div>
  )
}

function EffectBox({
  effect: { before, after, warnings },
  tag,
  dir,
}: { readonly effect: TextEffect } & Pick<TextsData, 'tag' | 'dir'>) {
  const t = useT()
  return (
    <section className="fx" aria-live="polite">
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <ul>
        <li>
          <span className="chg" lang={tag} dir={dir}>
            <bdi className="from">{before}</bdi>
            <Icon name="arrow" className="flip" />
            <bdi className="to">{after}</bdi>
          </span>
        </li>
        {warnings.map(({ kind, values }) => (
          <li key={kind}>
            <b className="down">
              {t(`console.texts.warning.${kind}`, { values: values.join(', ') })}
            </b>
          </li>
        ))}
        <li>
          <span>{t('console.texts.effect')}</span>
        </li>
      </ul>
    </section>
  )
}

interface Told {
  readonly effect: TextEffect | null
  readonly fault: string | undefined
}

const NOTHING: Told = { effect: null, fault: undefined }

/** What the shop says of what is typed; asked once typing has settled. */
function useEffectOf(
  { language, key }: { readonly language: string; readonly key: string },
  typed: string | null,
): Told {
  const [told, setTold] = useState<Told>(NOTHING)
  useEffect(() => {
    setTold(NOTHING)
    if (typed === null || typed.trim() === '') return
    let isOver = false
    const timer = setTimeout(async () => {
      const outcome = await callConsole<TextEffect>('texts/preview', {
        language,
        key,
        text: typed,
      }).catch(() => null)
      if (isOver || outcome === null) return
      setTold(
        outcome.isDone
          ? { effect: outcome.data, fault: undefined }
          : { effect: null, fault: outcome.fields['text'] ?? outcome.message },
      )
    }, SETTLE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [language, key, typed])
  return told
}
