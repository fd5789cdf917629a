import { callConsole } from '../browser/call.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'

/** Every factor is lost: what happens then, and saying so. */
export function LostStep({
  ticket,
  isSaid,
  onSaid,
  onBack,
}: {
  readonly ticket: string
  readonly isSaid: boolean
  readonly onSaid: () => void
  readonly onBack: () => void
}) {
  const t = useT()
  const attempt = useAttempt()
  const say = async () => {
    if (await attempt.run(() => callConsole('sign_in_lost', { ticket }))) onSaid()
  }
  return (
    <>
      <h1>{t(isSaid ? 'console.lost.said' : 'console.lost.title')}</h1>
      <p role="status">{t(isSaid ? 'console.lost.saidText' : 'console.lost.text')}</p>
      <Fault text={attempt.fault} />
      {!isSaid && (
        <button
          type="button"
          className="btn solid lg block"
          disabled={attempt.isBusy}
          onClick={() => void say()}
        >
          {t('console.lost.say')}
        </button>
      )}
      <button type="button" className="btn ghost" onClick={onBack}>
        {t('console.back')}
      </button>
    </>
  )
}
