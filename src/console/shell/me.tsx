import { Icon } from '#ui/icon.tsx'
import { callConsole } from '../browser/call.ts'
import type { FrameData } from '../page.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Preferences } from './preferences.tsx'

const ME = 'con-me'

async function signOut(): Promise<void> {
  await callConsole('sign_out')
  location.assign(`${CONSOLE_PATH}/sign-in`)
}

/** Who is signed in, and how the console looks to them. */
export function Me({ operator }: { readonly operator: FrameData['operator'] }) {
  const t = useT()
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
          <Preferences theme={theme} />
          <a className="btn edge block" href={`${CONSOLE_PATH}/me`}>
            <Icon name="user" />
            {t('console.me.title')}
          </a>
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
