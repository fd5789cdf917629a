import { useEffect, useState } from 'react'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { SettingForm } from './setting-form.tsx'
import { isFound, type SettingsData } from './shown.ts'

/** Everything that the shop knows about itself, under one search. */
export function Page({ data }: { readonly data: SettingsData }) {
  const t = useT()
  const [query, setQuery] = useState(data.query)
  const wanted = query.trim()
  const groups = data.groups
    .map((group) => ({
      ...group,
      settings: group.settings.filter(({ fields }) =>
        fields.some((field) => isFound(field, wanted)),
      ),
    }))
    .filter(({ settings }) => settings.length > 0)
  useLinked()
  return (
    <>
      <Head />
      <search className="field">
        <label htmlFor="settings-q">{t('console.settings.search')}</label>
        <input
          id="settings-q"
          className="input"
          type="search"
          name="q"
          autoComplete="off"
          maxLength={100}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </search>
      <p className="sr" role="status">
        {t('console.settings.found', { count: groups.flatMap(({ settings }) => settings).length })}
      </p>
      {groups.length === 0 && (
        <section className="panel empty">
          <h2>{t('console.settings.nothing')}</h2>
          <button type="button" className="btn edge" onClick={() => setQuery('')}>
            {t('console.settings.showAll')}
          </button>
        </section>
      )}
      {groups.map(({ name, title, settings }) => (
        <section key={name} className="stack" aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`}>{title}</h2>
          {settings.map((setting) => (
            <SettingForm
              key={setting.key}
              setting={setting}
              currencies={data.currencies}
              query={wanted}
            />
          ))}
        </section>
      ))}
    </>
  )
}

function Head() {
  const t = useT()
  return (
    <div className="pg">
      <div>
        <h1>{t('console.settings.nav')}</h1>
        <p>{t('console.settings.lead')}</p>
      </div>
      <div className="acts">
        <a className="btn edge" href={`${CONSOLE_PATH}/setup`}>
          {t('console.setup.nav')}
        </a>
        <a className="btn edge" href={`${CONSOLE_PATH}/settings/look`}>
          {t('console.look.nav')}
        </a>
        <a className="btn edge" href={`${CONSOLE_PATH}/guide?step=identity#legal-h`}>
          {t('console.guide.legal')}
        </a>
        <a className="btn edge" href={`${CONSOLE_PATH}/settings/texts`}>
          {t('console.texts.nav')}
        </a>
        <a className="btn edge" href={`${CONSOLE_PATH}/settings/file`}>
          {t('console.settingsFile.nav')}
        </a>
      </div>
    </div>
  )
}

/** A link to one setting leads to its field. */
function useLinked(): void {
  useEffect(() => {
    const path = decodeURIComponent(location.hash.slice(1))
    if (path === '') return
    const place = document.getElementById(path)
    place?.scrollIntoView({ block: 'center' })
    place?.querySelector<HTMLElement>('input, textarea, select, a')?.focus()
  }, [])
}
