import { useId, useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { TemplatesData } from './load.ts'

type Template = TemplatesData['templates'][number]

/** Answers that are written once: each customer is answered in their own language, where it is written in it. */
export function Page({ data }: { readonly data: TemplatesData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/cases`}>
            <Icon name="left" />
            {t('console.cases.nav')}
          </a>
          <h1>{t('console.templates.nav')}</h1>
          <p>{t('console.templates.lead')}</p>
        </div>
      </div>
      {data.templates.map((template) => (
        <Editor key={`${template.id} ${template.seen}`} data={data} template={template} />
      ))}
      {data.mayDecide && (
        <Editor key={`new ${data.templates.length}`} data={data} template={null} />
      )}
      {!data.mayDecide && data.templates.length === 0 && (
        <section className="panel empty">
          <p>{t('console.templates.none')}</p>
        </section>
      )}
    </>
  )
}

function Editor({
  data: { languages, mayDecide },
  template,
}: {
  readonly data: TemplatesData
  readonly template: Template | null
}) {
  const t = useT()
  const attempt = useAttempt()
  const ids = { name: useId(), language: useId(), text: useId() }
  const [name, setName] = useState(template?.name ?? '')
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(template?.texts ?? {})
  const [language, setLanguage] = useState(
    Object.keys(template?.texts ?? {}).includes('en')
      ? 'en'
      : (Object.keys(template?.texts ?? {})[0] ?? 'en'),
  )

  async function save(event: FormEvent) {
    event.preventDefault()
    const written = Object.fromEntries(
      Object.entries(texts).filter(([, text]) => text.trim() !== ''),
    )
    const body = {
      name,
      texts: written,
      ...(template ? { id: template.id, seen: template.seen } : {}),
    }
    if (await attempt.run(() => callConsole('templates/save', body))) refreshPage()
  }
  async function remove() {
    if (template && (await attempt.run(() => callConsole('templates/remove', { id: template.id }))))
      refreshPage()
  }
  const { name: nameFault, texts: textFault } = attempt.fields
  return (
    <section className="panel">
      <form className="stack-2" onSubmit={(event) => void save(event)}>
        {template === null && <h2>{t('console.templates.new')}</h2>}
        <div className={nameFault === undefined ? 'field' : 'field err'}>
          <label htmlFor={ids.name}>{t('console.templates.name')}</label>
          <input
            className="input"
            id={ids.name}
            required
            maxLength={80}
            disabled={!mayDecide}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {nameFault !== undefined && (
            <p className="msg" role="alert">
              {nameFault}
            </p>
          )}
        </div>
        <div className="field">
          <label htmlFor={ids.language}>{t('console.templates.language')}</label>
          <select
            className="input"
            id={ids.language}
            value={language}
            onChange={(event) => setLanguage(event.target.value)}
          >
            {languages.map((one) => (
              <option key={one.code} value={one.code} lang={one.tag}>
                {(texts[one.code] ?? '').trim() === '' ? one.name : `${one.name} ✓`}
              </option>
            ))}
          </select>
        </div>
        <div className={textFault === undefined ? 'field' : 'field err'}>
          <label htmlFor={ids.text}>{t('console.templates.text')}</label>
          <textarea
            className="input"
            id={ids.text}
            rows={4}
            maxLength={2_000}
            dir="auto"
            lang={languages.find(({ code }) => code === language)?.tag}
            disabled={!mayDecide}
            value={texts[language] ?? ''}
            onChange={(event) => setTexts({ ...texts, [language]: event.target.value })}
          />
          {textFault !== undefined && (
            <p className="msg" role="alert">
              {textFault}
            </p>
          )}
        </div>
        <Fault text={attempt.fault} />
        {mayDecide && (
          <div className="row wrapx">
            <button type="submit" className="btn solid sm" disabled={attempt.isBusy}>
              {t('console.templates.save')}
            </button>
            {template !== null && (
              <button
                type="button"
                className="btn ghost sm"
                disabled={attempt.isBusy}
                onClick={() => void remove()}
              >
                {t('console.templates.remove')}
              </button>
            )}
          </div>
        )}
      </form>
    </section>
  )
}
