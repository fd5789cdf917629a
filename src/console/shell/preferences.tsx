import type { Theme } from '#features/team/operator/rules.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { callConsole } from '../browser/call.ts'
import { useConsoleWords, useT } from '../words.tsx'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** One after another: a page made anew for its language already wears the look that was chosen a moment before. */
let saving: Promise<unknown> = Promise.resolve()

function save(preference: { readonly theme: string } | { readonly language: string }) {
  const saved = saving.then(() => callConsole('preferences', preference))
  // What could not be saved holds up nothing that is chosen after it.
  saving = saved.catch(() => undefined)
  return saved
}

async function changeTheme(theme: string): Promise<void> {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  await save({ theme })
}

async function changeLanguage(language: string): Promise<void> {
  await save({ language })
  location.reload()
}

/** How the console looks to its operator: language and theme, changed as they are chosen. */
export function Preferences({ theme }: { readonly theme: Theme }) {
  const t = useT()
  const { language } = useConsoleWords()
  return (
    <>
      <label className="field">
        {t('console.me.language')}
        <select
          className="input"
          defaultValue={language}
          // A browser that fills in what was chosen on the page before would choose it again.
          autoComplete="off"
          onChange={(event) => void changeLanguage(event.currentTarget.value)}
        >
          {LANGUAGES.map(({ code, nativeName, tag }) => (
            <option key={code} value={code} lang={tag}>
              {nativeName}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        {t('console.me.theme')}
        <select
          className="input"
          defaultValue={theme}
          autoComplete="off"
          onChange={(event) => void changeTheme(event.currentTarget.value)}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {t(`console.me.themes.${one}`)}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
