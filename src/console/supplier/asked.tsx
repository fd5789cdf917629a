import { useT } from '../words.tsx'

/** Of what moves prices further than an operator may alone. */
export interface Waits {
  readonly waits_for_approval: string | null
}

/** Says that it waits for somebody else, and that nothing is changed. */
export function Asked() {
  const t = useT()
  return (
    <p className="note warn" role="status">
      {t('console.prices.outcome.waits')}
    </p>
  )
}
