import { useT } from '../words.tsx'

/** A rule is tried first, made then, and taken back where one was just made. */
export function RuleButtons({
  isTried,
  disabled,
  takeBack,
  isBusy,
}: {
  readonly isTried: boolean
  readonly disabled: boolean
  /** Null where nothing was made. */
  readonly takeBack: (() => void) | null
  readonly isBusy: boolean
}) {
  const t = useT()
  return (
    <div className="row wrapx">
      <button type="submit" className="btn solid" disabled={isBusy || disabled}>
        {t(isTried ? 'console.suppliers.saveRule' : 'console.suppliers.tryRule')}
      </button>
      {takeBack !== null && (
        <button type="button" className="btn edge" disabled={isBusy} onClick={takeBack}>
          {t('console.suppliers.takeBack')}
        </button>
      )}
    </div>
  )
}
