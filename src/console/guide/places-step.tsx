import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { SettingForm } from '../settings/setting-form.tsx'
import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { isRunning, RunState } from './run-state.tsx'

/** What goods stand on: currencies with rates, countries, regions; and in which time the shop counts its days. */
export function PlacesStep({
  body: { counts, run, forms, zone, languages },
}: {
  readonly body: Extract<StepBody, { readonly step: 'places' }>
}) {
  const t = useT()
  const attempt = useAttempt()
  const { currencies, countries, regions } = counts
  const isEmpty = currencies === 0 || countries === 0 || regions === 0
  async function take() {
    const body = { kinds: [], on_sale: false }
    if (await attempt.run(() => callConsole('guide/goods/take', body))) refreshPage()
  }
  return (
    <>
      <div className="panel stack-2">
        <p>{t('console.guide.places.have', { currencies, countries, regions })}</p>
        <p className="small muted">
          {languages.map(({ code, name }, at) => (
            <span key={code}>
              {at > 0 && ' · '}
              <bdi lang={code}>{name}</bdi>
            </span>
          ))}
        </p>
        {run && (isRunning(run) || run.state === 'failed') && <RunState run={run} />}
        <Fault text={attempt.fault} />
        {isEmpty && (
          <p>
            <button
              type="button"
              className="btn solid"
              disabled={attempt.isBusy || isRunning(run)}
              onClick={() => void take()}
            >
              {t('console.guide.places.take')}
            </button>
          </p>
        )}
      </div>
      {!isEmpty &&
        forms.settings.map((setting) => (
          <SettingForm key={setting.key} setting={setting} currencies={forms.currencies} query="" />
        ))}
      <section className="panel stack-2" aria-labelledby="zone-h">
        <h3 id="zone-h">{t('console.guide.zone')}</h3>
        <p>{t('console.guide.zone.now', { zone: zone.name, now: zone.now })}</p>
        <p className="hint">{t('console.guide.zone.how')}</p>
        <pre className="raw">SHOP_TIME_ZONE=Europe/Berlin</pre>
      </section>
    </>
  )
}
