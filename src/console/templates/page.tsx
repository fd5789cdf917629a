import { useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice, LineField, TextField } from '../kit/fields.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
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
  const [name, setName] = useState(template?.name ?? '')
  const [texts, setTexts] = useState<Texts>(template?.texts ?? {})
  const [language, setLanguage] = useState(() => firstLanguageOf(template))

  async function save(event: FormEvent) {
    event.preventDefault()
    const body = {
      name,
      texts: writtenOf(texts),
      ...(template ? { id: template.id, seen: template.seen } : {}),
    }
    if (await attempt.run(() => callConsole('templates/save', body))) refreshPage()
  }
  const form = (
    <form className="stack-2" onSubmit={(event) => void save(event)}>
      <LineField
        label={t('console.templates.name')}
        value={name}
        max={80}
        write={setName}
        fault={attempt.fields['name']}
        required
        disabled={!mayDecide}
      />
      <LanguageChoice languages={languages} texts={texts} value={language} choose={setLanguage} />
      <TextField
        label={t('console.templates.text')}
        rows={4}
        lang={languages.find(({ code }) => code === language)?.tag}
        value={texts[language] ?? ''}
        max={2_000}
        write={(text) => setTexts({ ...texts, [language]: text })}
        fault={attempt.fields['texts']}
        disabled={!mayDecide}
      />
      <Fault text={attempt.fault} />
      {mayDecide && (
        <div className="row wrapx">
          <button type="submit" className="btn solid sm" disabled={attempt.isBusy}>
            {t('console.templates.save')}
          </button>
          {template !== null && <Remove id={template.id} attempt={attempt} />}
        </div>
      )}
    </form>
  )
  return template === null ? (
    <section className="panel stack-2">
      <h2>{t('console.templates.new')}</h2>
      {form}
    </section>
  ) : (
    <details className="panel">
      <summary>
        <bdi>{template.name}</bdi>
      </summary>
      {form}
    </details>
  )
}

type Texts = Readonly<Record<string, string>>

function firstLanguageOf(template: Template | null): string {
  const codes = Object.keys(template?.texts ?? {})
  return codes.includes('en') ? 'en' : (codes[0] ?? 'en')
}

const isWritten = (text: string | undefined): boolean => (text ?? '').trim() !== ''

const writtenOf = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => isWritten(text)))

/** Languages the answer is written in are ticked. */
function LanguageChoice({
  languages,
  texts,
  value,
  choose,
}: {
  readonly languages: TemplatesData['languages']
  readonly texts: Texts
  readonly value: string
  readonly choose: (code: string) => void
}) {
  const t = useT()
  return (
    <Choice
      label={t('console.templates.language')}
      value={value}
      options={languages.map(({ code, name, tag }) => ({
        value: code,
        text: isWritten(texts[code]) ? `${name} ✓` : name,
        lang: tag,
      }))}
      choose={choose}
    />
  )
}

function Remove({ id, attempt }: { readonly id: Template['id']; readonly attempt: Attempt }) {
  const t = useT()
  async function remove() {
    if (await attempt.run(() => callConsole('templates/remove', { id }))) refreshPage()
  }
  return (
    <button
      type="button"
      className="btn ghost sm"
      disabled={attempt.isBusy}
      onClick={() => void remove()}
    >
      {t('console.templates.remove')}
    </button>
  )
}
