import { useId } from 'react'
import { CONSOLE_PATH } from '../routes.ts'
import { Moved } from '../products/effect-box.tsx'
import { wordText } from '../products/field-text.ts'
import { useT } from '../words.tsx'
import { useShared, useField } from './editor.tsx'
import { Meeting } from './field.tsx'
import type { ProductData } from './load.ts'
import { setAt, textAt } from './set-at.ts'
import type { TextValue, WordView } from './texts-view.ts'

type Target = ProductData['texts']['targets'][number]

/** Texts side by side: English, and what one or two other languages say for it. */
export function Texts() {
  const t = useT()
  const { data } = useShared()
  const { words, targets } = data.texts
  return (
    <section className="panel flush" aria-label={t('console.texts.nav')}>
      <div className="panel-h">
        <h2>{t('console.texts.nav')}</h2>
        <div className="row wrapx">
          <b>{t('console.texts.english')}</b>
          <TargetChoice at={0} />
          <TargetChoice at={1} />
        </div>
      </div>
      <p className="hint pad">{t('console.product.textsHint')}</p>
      <ol className={targets.length === 1 ? 'tri two' : 'tri'}>
        {words.map((word) => (
          <li key={`${word.subject} ${word.code} ${word.name}`}>
            <English word={word} />
            {targets.map((target) => (
              <Translation key={target.code} word={word} target={target} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Which language stands there; the address holds it. */
function TargetChoice({ at }: { readonly at: number }) {
  const t = useT()
  const { data, here } = useShared()
  const { targets, complete } = data.texts
  const chosen = targets.map(({ code }) => code as string)
  const present = chosen[at] ?? ''
  return (
    <select
      className="input auto"
      aria-label={t(at === 0 ? 'console.product.target' : 'console.product.target2')}
      value={present}
      onChange={(event) => {
        const next = [...chosen]
        next[at] = event.target.value
        const said = [...new Set(next.filter(Boolean))].join(',')
        location.assign(`${CONSOLE_PATH}${here}?view=texts&languages=${said}`)
      }}
    >
      {at === 1 && <option value="">–</option>}
      {data.languages
        .filter(({ code }) => code !== 'en' && (code === present || !chosen.includes(code)))
        .map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {`\u2068${name}\u2069 · ${complete[code] ?? 0}%`}
          </option>
        ))}
    </select>
  )
}

function English({ word }: { readonly word: WordView }) {
  const t = useT()
  const { goodsOf } = useShared()
  const goods = goodsOf(word)
  const field = useField(goods, word.field)
  const id = useId()
  if (!field) return null
  const shown =
    word.path.length === 0 ? (field.shown as string | null) : textAt(field.shown, word.path)
  const isDirty = shown !== word.english
  return (
    <div className={isDirty ? 'field dirty' : 'field'}>
      <label htmlFor={id}>
        {wordText(t, word.name)}
        {word.subject === 'item' && <bdi className="mono small"> {word.code}</bdi>}
      </label>
      <textarea
        className="input"
        id={id}
        lang="en"
        dir="ltr"
        rows={rowsOf(word.english)}
        maxLength={4_000}
        disabled={!field.spec.isOpen}
        value={shown ?? ''}
        onChange={(event) => field.write(setAt(field.shown, word.path, event.target.value))}
      />
      {isDirty && <p className="hint by">{t('console.settings.byYou')}</p>}
      {field.fault !== undefined && isDirty && (
        <p className="msg" role="alert">
          {field.fault}
        </p>
      )}
      {isDirty && <Meeting subject={goods.subject} code={goods.code} name={word.field} />}
    </div>
  )
}

const LINE = 44
const rowsOf = (text: string) => Math.min(8, Math.max(1, Math.ceil(text.length / LINE)))

function Translation({ word, target }: { readonly word: WordView; readonly target: Target }) {
  const t = useT()
  const { data, edits, saving } = useShared()
  const id = useId()
  const field = `${word.name}:${target.code}`
  const { subject, code } = word
  const value = word.texts[target.code] ?? null
  const edit = edits.of(code, field, subject)
  const shown = edit ? (edit.to as TextValue | null) : value
  const fault = saving.faultAt({ subject, code, field })
  const former = word.former[target.code] ?? null
  const isStale = shown !== null && shown.english_hash !== word.hash
  const write = (text: string) =>
    edits.set({
      subject,
      code,
      field,
      from: edit ? edit.from : value,
      to: text === '' ? null : { text, english_hash: word.hash, origin: 'human' },
    })
  return (
    <div className={edit ? 'field dirty' : 'field'}>
      <label htmlFor={id}>
        {wordText(t, word.name)} · <bdi lang={target.tag}>{target.name}</bdi>
        {word.subject === 'item' && <span className="sr"> {word.code}</span>}
      </label>
      <textarea
        className="input"
        id={id}
        lang={target.tag}
        dir={target.dir}
        rows={rowsOf(word.english)}
        maxLength={4_000}
        disabled={!data.mayChange}
        value={shown?.text ?? ''}
        aria-describedby={`${id}-s`}
        onChange={(event) => write(event.target.value)}
      />
      <p className={shown === null && !edit ? 'hint lack' : 'hint'} id={`${id}-s`}>
        {edit && <b>{t('console.settings.byYou')} </b>}
        {shown === null && t('console.product.textMissing')}
        {isStale && t('console.product.textStale')}{' '}
        {isStale && data.mayChange && (
          <button type="button" className="as-link" onClick={() => write(shown.text)}>
            {t('console.product.textStillRight')}
            <span className="sr">
              {' '}
              {wordText(t, word.name)} · {target.name}
            </span>
          </button>
        )}
      </p>
      {isStale && former !== null && <Moved from={former} to={word.english} />}
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
      <Meeting subject={subject} code={code} name={field} />
    </div>
  )
}
