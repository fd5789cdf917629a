import { useEffect } from 'react'
import { Icon } from '#ui/icon.tsx'
import type { GuideStep } from '#features/office/guide/rules.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { GoodsStep } from './goods-step.tsx'
import { IdentityStep } from './identity-step.tsx'
import { KeysStep } from './keys-step.tsx'
import type { GuideData } from './load.ts'
import { LookStep } from './look-step.tsx'
import { MailStep } from './mail-step.tsx'
import { OwnerStep } from './owner-step.tsx'
import { PayStep } from './pay-step.tsx'
import { PlacesStep } from './places-step.tsx'
import { stepPath } from './paths.ts'
import { Facts } from './facts.tsx'

/** From an empty shop to one that sells: eight steps in order. What is done follows from the shop; the guide keeps only what was skipped. */
export function Page({ data }: { readonly data: GuideData }) {
  const t = useT()
  const attempt = useAttempt()
  usePinned(data.current)
  const leave = async (choice: 'left' | 'dismissed') => {
    if (await attempt.run(() => callConsole('guide/whole', { choice })))
      location.assign(CONSOLE_PATH)
  }
  return (
    <>
      <div className="pg">
        <div>
          <h1>{t('console.guide.nav')}</h1>
          <p>
            {data.done === data.steps.length
              ? t('console.guide.finished')
              : t('console.guide.lead')}
          </p>
        </div>
        <div className="acts">
          <a className="btn edge" href={`${CONSOLE_PATH}/setup`}>
            {t('console.setup.nav')}
          </a>
          <button
            type="button"
            className="btn edge"
            disabled={attempt.isBusy}
            onClick={() => void leave(data.done === data.steps.length ? 'dismissed' : 'left')}
          >
            {t(data.done === data.steps.length ? 'console.guide.finish' : 'console.guide.leave')}
          </button>
        </div>
      </div>
      <Fault text={attempt.fault} />
      <div className="guide">
        <Steps data={data} />
        <section className="stack" aria-labelledby="step-h">
          <Head data={data} />
          <Facts lines={data.lines} />
          <Body key={data.current} data={data} />
          <Foot data={data} attempt={attempt} />
        </section>
      </div>
    </>
  )
}

/** The address names the step: what is done in it never leads away from it, and a page that is loaded anew is the same one. */
function usePinned(current: GuideStep): void {
  useEffect(() => {
    if (new URLSearchParams(location.search).has('step')) return
    history.replaceState(history.state, '', stepPath(current))
  }, [current])
}

function Steps({ data: { steps, current, done } }: { readonly data: GuideData }) {
  const t = useT()
  return (
    <nav aria-label={t('console.guide.nav')} className="stack-2">
      <div
        className="pbar"
        role="progressbar"
        aria-valuenow={done}
        aria-valuemin={0}
        aria-valuemax={steps.length}
        aria-label={t('console.setup.progress', { done, all: steps.length })}
      >
        <i className="o" style={{ inlineSize: `${(done / steps.length) * 100}%` }} />
      </div>
      <p className="tiny muted">{t('console.setup.progress', { done, all: steps.length })}</p>
      <ol className="steps2">
        {steps.map(({ step, state, name }) => (
          <li key={step}>
            <a
              href={stepPath(step)}
              className={state}
              aria-current={step === current ? 'step' : undefined}
            >
              <span>
                <b>{name}</b>
                {state !== 'open' && <small>{t(`console.guide.${state}`)}</small>}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Head({ data: { current, position, steps } }: { readonly data: GuideData }) {
  const t = useT()
  const name = steps.find(({ step }) => step === current)?.name ?? ''
  return (
    <div>
      <p className="tiny muted">{t('console.guide.at', { step: position, all: steps.length })}</p>
      <h2 id="step-h" className="guide-h">
        {name}
      </h2>
      <p className="muted">{t(`console.guide.text.${current}`)}</p>
    </div>
  )
}

function Body({ data: { body } }: { readonly data: GuideData }) {
  switch (body.step) {
    case 'owner':
      return <OwnerStep />
    case 'identity':
      return <IdentityStep body={body} />
    case 'places':
      return <PlacesStep body={body} />
    case 'goods':
      return <GoodsStep body={body} />
    case 'keys':
      return <KeysStep body={body} />
    case 'pay':
      return <PayStep body={body} />
    case 'mail':
      return <MailStep body={body} />
    case 'look':
      return <LookStep body={body} />
  }
}

function Foot({ data, attempt }: { readonly data: GuideData; readonly attempt: Attempt }) {
  const t = useT()
  const { steps, current } = data
  const at = steps.findIndex(({ step }) => step === current)
  const before = steps[at - 1]?.step
  const after = steps[at + 1]?.step
  const state = steps[at]?.state
  const choose = async (choice: 'skipped' | 'done', next: GuideStep | undefined) => {
    if (!(await attempt.run(() => callConsole('guide/choose', { step: current, choice })))) return
    if (next === undefined) refreshPage()
    else navigate(stepPath(next))
  }
  return (
    <div className="row between wrapx">
      {before === undefined ? (
        <span />
      ) : (
        <a className="btn ghost" href={stepPath(before)}>
          <Icon name="left" className="flip" />
          {t('console.guide.previous')}
        </a>
      )}
      <div className="row">
        {state === 'open' && (
          <button
            type="button"
            className="btn ghost"
            disabled={attempt.isBusy}
            onClick={() => void choose('skipped', after)}
          >
            {t('console.guide.skip')}
          </button>
        )}
        {current === 'look' && state !== 'done' && (
          <button
            type="button"
            className="btn solid lg"
            disabled={attempt.isBusy}
            onClick={() => void choose('done', undefined)}
          >
            {t('console.guide.look.good')}
          </button>
        )}
        {after !== undefined && (
          <a className={state === 'done' ? 'btn solid lg' : 'btn edge lg'} href={stepPath(after)}>
            {t('console.guide.next')}
          </a>
        )}
      </div>
    </div>
  )
}

/** Within the application where the browser can, else as links do. */
function navigate(address: string): void {
  if ('navigation' in window) navigation.navigate(address)
  else location.assign(address)
}
