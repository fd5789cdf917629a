import { LANGUAGES } from '#kernel/language.ts'
import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import type { FrameData } from '../page.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useConsoleWords, useT } from '../words.tsx'

const ME = 'con-me'
const THEMES = ['system', 'light', 'dark'] as const

async function signOut(): Promise<void> {
  await callConsole('sign_out')
  location.assign(`${CONSOLE_PATH}/sign-in`)
}

async function changeTheme(theme: string): Promise<void> {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  await callConsole('preferences', { theme })
}

async function changeLanguage(language: string): Promise<void> {
  await callConsole('preferences', { language })
  location.reload()
}

/** Who is signed in, and how the console looks to them. */
export function Me({ operator }: { readonly operator: FrameData['operator'] }) {
  const t = useT()
  const { language } = useConsoleWords()
  const { shownName, role, theme } = operator
  return (
    <>
      <button type="button" className="me" popoverTarget={ME}>
        <span className="av" aria-hidden="true">
          {initials(shownName)}
        </span>
        <span className="who">
          <b dir="auto">{shownName}</b>
          <small>{role}</small>
        </span>
      </button>
      <div popover="auto" id={ME} className="me-pop">
        <div className="stack-2">
          <label className="field">
            {t('console.me.language')}
            <select
              className="input"
              defaultValue={language}
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
              onChange={(event) => void changeTheme(event.currentTarget.value)}
            >
              {THEMES.map((one) => (
                <option key={one} value={one}>
                  {t(`console.me.themes.${one}`)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" className="btn edge block" onClick={() => void signOut()}>
            <Icon name="out" />
            {t('console.signOut')}
          </button>
        </div>
      </div>
    </>
  )
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
