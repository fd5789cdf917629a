import { useEffect } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { useHref, useT, useWords } from '../i18n.tsx'
import { localPath } from '../local-path.ts'
import { forgetSignedOut } from '../state/session.ts'
import type { MiddleData } from './load.ts'

/** Long enough to read that the session is over. */
const SHOWN_MS = 3_000

/** Tells that the session has ended, clears what the browser holds of the person, and goes on by itself. */
export function Page({ data }: { readonly data: MiddleData }) {
  const t = useT()
  const href = useHref()
  const { prefix } = useWords()
  const { next, isSignedIn } = data
  useEffect(() => {
    // Whoever is signed in came here by a link: nothing of theirs goes.
    if (!isSignedIn) forgetSignedOut(next)
    const timer = setTimeout(() => location.assign(localPath(prefix, next)), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [next, isSignedIn, prefix])
  return (
    <div className="wrap">
      <Empty level={1} title={data.title} text={data.text}>
        <ButtonLink href={href(next)} look="solid">
          {next === '/' ? t('shell.home') : t('sign-in.goOn')}
        </ButtonLink>
        <ButtonLink href={href('/login')}>{t('sign-in.signInAgain')}</ButtonLink>
      </Empty>
    </div>
  )
}
