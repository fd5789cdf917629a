import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { useRun } from './use-run.ts'

type Run = NonNullable<Extract<StepBody, { readonly step: 'goods' }>['run']>

const isOver = ({ state }: Run) => state === 'done' || state === 'failed'

/** How far taking in is, while it is; and what went wrong where something did. */
export function RunState({ run }: { readonly run: Run }) {
  const t = useT()
  const { state, step, steps, failure } = useRun('guide/goods', run, isOver)
  if (state === 'done')
    return (
      <p className="note ok" role="status">
        {t('console.guide.goods.done')}
      </p>
    )
  if (state === 'failed')
    return (
      <div className="note bad" role="alert">
        <div>
          <b>{t('console.guide.goods.failed')}</b>
          <p className="tiny" lang="en" dir="ltr">
            {failure}
          </p>
        </div>
      </div>
    )
  const words = t('console.guide.goods.taking', { done: step, all: steps })
  return (
    <div className="stack-2">
      <div
        className="pbar"
        role="progressbar"
        aria-valuenow={step}
        aria-valuemin={0}
        aria-valuemax={steps}
        aria-label={words}
      >
        <i className="o" style={{ inlineSize: `${(step / steps) * 100}%` }} />
      </div>
      <p className="tiny muted" role="status">
        {words}
      </p>
    </div>
  )
}

export const isRunning = (run: Run | null) => run !== null && !isOver(run)
