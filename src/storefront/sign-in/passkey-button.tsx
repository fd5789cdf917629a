import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { useT, useWords } from '../i18n.tsx'
import { localPath } from '../local-path.ts'
import { client } from '../state/client.ts'
import { askForPasskey, canUsePasskeys } from '../state/passkeys.ts'
import css from './sign-in.module.css'

/** Signs in with a passkey. It stands there at once, so that nothing moves, and goes where browser or script have none. */
export function PasskeyButton({ redirect }: { readonly redirect: string | null }) {
  const t = useT()
  const { prefix } = useWords()
  const [state, setState] = useState<'ready' | 'busy' | 'failed' | 'gone'>('ready')
  useEffect(() => {
    if (!canUsePasskeys()) setState('gone')
  }, [])
  if (state === 'gone') return null
  const signIn = async (): Promise<void> => {
    setState('busy')
    try {
      const asked = await askForPasskey('sign_in')
      if (asked.kind !== 'given') return setState(asked.kind === 'cancelled' ? 'ready' : 'failed')
      await client
        .get()
        ?.post('user/login', { passkey: asked.credential as never }, { showCheckMsg: false })
      location.assign(localPath(prefix, redirect ?? '/'))
    } catch {
      setState('failed')
    }
  }
  return (
    <div className={css.passkey}>
      {state === 'failed' ? (
        <Note tone="bad" role="alert">
          {t('sign-in.passkeyFailed')}
        </Note>
      ) : null}
      <Button block busy={state === 'busy'} onClick={() => void signIn()} data-replay="">
        <Icon name="key" />
        {t('sign-in.passkey')}
      </Button>
    </div>
  )
}
