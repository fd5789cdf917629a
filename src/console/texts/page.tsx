import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { TextsData } from './load.ts'
import { TextForm } from './text-form.tsx'

/** Every text that the program shows, in one language, with the shop's own words for it. */
export function Page({ data }: { readonly data: TextsData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/settings`}>
            <Icon name="left" />
            {t('console.settings.nav')}
          </a>
          <h1>{t('console.texts.nav')}</h1>
          <p>{t('console.texts.lead')}</p>
        </div>
      </div>
      <Filters data={data} />
      {data.texts.length === 0 ? (
        <section className="panel empty">
          <h2>{t('console.texts.nothing')}</h2>
          <a className="btn edge" href={`${CONSOLE_PATH}/settings/texts?language=${data.language}`}>
            {t('console.settings.showAll')}
          </a>
        </section>
      ) : (
        <ol className="stack">
          {data.texts.map((text) => (
            <li key={`${data.language} ${text.key}`}>
              <TextForm text={text} language={data.language} tag={data.tag} dir={data.dir} />
            </li>
          ))}
        </ol>
      )}
      {data.next !== null && (
        <nav>
          <a className="btn edge" href={`${CONSOLE_PATH}/settings/texts${data.next}`}>
            {t('console.texts.more')}
          </a>
        </nav>
      )}
    </>
  )
}

function Filters({ data }: { readonly data: TextsData }) {
  const t = useT()
  return (
    <form
      className="row wrapx"
      action={`${CONSOLE_PATH}/settings/texts`}
      key={data.language + data.area}
    >
      <div className="field grow">
        <label htmlFor="texts-q">{t('console.texts.search')}</label>
        <input
          id="texts-q"
          className="input"
          type="search"
          name="q"
          maxLength={200}
          dir="auto"
          autoComplete="off"
          defaultValue={data.query}
        />
      </div>
      <div className="field">
        <label htmlFor="texts-l">{t('console.texts.language')}</label>
        <select id="texts-l" className="input" name="language" defaultValue={data.language}>
          {data.languages.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="texts-a">{t('console.texts.area')}</label>
        <select id="texts-a" className="input" name="area" defaultValue={data.area}>
          <option value="">{t('console.texts.everywhere')}</option>
          {data.areas.map((area) => (
            <option key={area}>{area}</option>
          ))}
        </select>
      </div>
      <label className="check">
        <input type="checkbox" name="own" value="1" defaultChecked={data.isOwnOnly} />
        {t('console.texts.ownOnly')}
      </label>
      <button type="submit" className="btn solid">
        {t('console.texts.show')}
      </button>
    </form>
  )
}
