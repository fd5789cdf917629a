import { useState, type FormEvent } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { CustomerData } from './load.ts'

/** Another customer level: what was seen is sent along, so that nobody undoes what somebody else has just decided. */
export function Level({
  id,
  level,
}: {
  readonly id: string
  readonly level: CustomerData['level']
}) {
  const t = useT()
  const attempt = useAttempt()
  const [to, setTo] = useState(level.now)
  async function change(event: FormEvent) {
    event.preventDefault()
    const body = { shopper: id, from: level.now, to }
    if (await attempt.run(() => callConsole('shoppers/level', body))) refreshPage()
  }
  return (
    <section className="panel">
      <form className="stack-2" onSubmit={(event) => void change(event)}>
        <Choice
          label={t('console.customer.fact.level')}
          hint={t('console.customer.levelHint')}
          value={String(to)}
          options={level.choices.map((choice) => ({
            value: String(choice.level),
            text: choice.name,
          }))}
          choose={(chosen) => setTo(Number(chosen))}
        />
        <Fault text={attempt.fault} />
        {to !== level.now && (
          <button type="submit" className="btn solid" disabled={attempt.isBusy}>
            {t('console.customer.changeLevel')}
          </button>
        )}
      </form>
    </section>
  )
}
