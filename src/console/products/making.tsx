import { Fault } from '../kit/fault.tsx'
import { EffectBox } from './effect-box.tsx'
import type { useChange } from './use-change.ts'

/** What a change would do, and the two presses below it: the one that leaves it, and the one that makes it once there is anything to make. */
export function Making({
  change,
  leave,
  make,
  isReady = true,
}: {
  readonly change: ReturnType<typeof useChange>
  readonly leave: { readonly text: string; readonly press: () => void }
  readonly make: { readonly text: string; readonly press: () => Promise<void> }
  /** Enough is chosen to say what it would do. */
  readonly isReady?: boolean
}) {
  const { told } = change
  const hasGoods = told !== null && typeof told !== 'string' && told.goods > 0
  return (
    <>
      {isReady && <EffectBox told={told} />}
      <Fault text={change.fault} />
      <div className="row wrapx">
        <button type="button" className="btn ghost" onClick={leave.press}>
          {leave.text}
        </button>
        <button
          type="button"
          className="btn solid"
          disabled={change.isBusy || !hasGoods}
          onClick={() => void make.press()}
        >
          {make.text}
        </button>
      </div>
    </>
  )
}
