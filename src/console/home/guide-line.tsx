import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { HomeData } from './load.ts'

/** The setup guide in one line, until it is done or somebody has had enough of it. */
export function GuideLine({ guide }: { readonly guide: NonNullable<HomeData['guide']> }) {
  const t = useT()
  const attempt = useAttempt()
  const hide = async () => {
    if (await attempt.run(() => callConsole('guide/whole', { choice: 'dismissed' }))) refreshPage()
  }
  return (
    <div className="note row wrapx">
      <span>{t('console.guide.home', { done: guide.done, all: guide.all })}</span>
      <a className="btn edge sm" href={`${CONSOLE_PATH}/guide`}>
        {t('console.guide.continue')}
      </a>
      <button
        type="button"
        className="btn ghost sm"
        disabled={attempt.isBusy}
        onClick={() => void hide()}
      >
        {t('console.guide.hide')}
      </button>
      <Fault text={attempt.fault} />
    </div>
  )
}
