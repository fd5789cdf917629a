import type { RouteCriterion } from '#features/supply/routing/rules.ts'
import { useT } from '../words.tsx'

const ALL: readonly RouteCriterion[] = ['priority', 'cost', 'health', 'time', 'balance']

/** By what suppliers are put in order: the first thing that tells two apart decides. */
export function Criteria({
  rule,
  write,
  disabled = false,
}: {
  readonly rule: readonly RouteCriterion[]
  readonly write: (rule: readonly RouteCriterion[]) => void
  readonly disabled?: boolean
}) {
  const t = useT()
  return (
    <fieldset className="field" disabled={disabled}>
      <legend>{t('console.suppliers.by')}</legend>
      <p className="hint">{t('console.suppliers.byHint')}</p>
      <div className="stack-2">
        {ALL.map((criterion) => {
          const place = rule.indexOf(criterion)
          return (
            <label key={criterion} className="check">
              <input
                type="checkbox"
                checked={place >= 0}
                onChange={(event) =>
                  write(
                    event.target.checked
                      ? [...rule, criterion]
                      : rule.filter((one) => one !== criterion),
                  )
                }
              />
              {place >= 0 && <b>{place + 1}. </b>}
              {t(`console.suppliers.criterion.${criterion}`)}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
