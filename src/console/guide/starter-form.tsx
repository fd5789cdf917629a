import { useState, type FormEvent } from 'react'
import { STARTER_KINDS } from '#features/office/starter/rules.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { isRunning, RunState } from './run-state.tsx'

/** Takes in goods that the program brings along: all of them or some kinds, as drafts or on sale. */
export function StarterForm({
  run,
}: {
  readonly run: Extract<StepBody, { readonly step: 'goods' }>['run']
}) {
  const t = useT()
  const attempt = useAttempt()
  const [chosen, setChosen] = useState<readonly string[]>(['gift_card'])
  const [isOnSale, setOnSale] = useState(false)
  const isBusy = attempt.isBusy || isRunning(run)
  async function take(event: FormEvent) {
    event.preventDefault()
    const wish = { kinds: chosen, on_sale: isOnSale }
    if (await attempt.run(() => callConsole('guide/goods/take', wish))) refreshPage()
  }
  return (
    <form
      className="panel stack"
      aria-labelledby="starter-h"
      onSubmit={(event) => void take(event)}
    >
      <div>
        <h3 id="starter-h">{t('console.guide.starter')}</h3>
        <p className="hint">{t('console.guide.starter.text')}</p>
      </div>
      <fieldset className="field" disabled={isBusy}>
        <legend className="label">{t('console.guide.starter.kinds')}</legend>
        <div className="guide-kinds">
          {STARTER_KINDS.map((kind) => (
            <label key={kind} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(kind)}
                onChange={({ target }) =>
                  setChosen((before) =>
                    target.checked ? [...before, kind] : before.filter((one) => one !== kind),
                  )
                }
              />
              <span>{t(`console.guide.kind.${kind}`)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset className="field" disabled={isBusy}>
        <legend className="label">{t('console.guide.starter.as')}</legend>
        {[false, true].map((value) => (
          <label key={String(value)} className="check">
            <input
              type="radio"
              name="as"
              checked={isOnSale === value}
              onChange={() => setOnSale(value)}
            />
            <span>
              {t(value ? 'console.guide.starter.onSale' : 'console.guide.starter.drafts')}
            </span>
          </label>
        ))}
      </fieldset>
      {run && <RunState run={run} />}
      <Fault text={attempt.fault} />
      <p>
        <button type="submit" className="btn solid" disabled={isBusy || chosen.length === 0}>
          {t('console.guide.starter.take')}
        </button>
      </p>
    </form>
  )
}
