import { Picture } from '#ui/picture.tsx'
import { useHref } from '../i18n.tsx'
import css from './recharge.module.css'

/** Operators, small: a mark and a name each. */
export function Marks({
  operators,
}: {
  readonly operators: readonly {
    readonly code: string
    readonly name: string
    readonly image: string
    readonly path: string
    readonly note?: string
    readonly isCurrent?: boolean
  }[]
}) {
  const href = useHref()
  return (
    <ul className={css.marks}>
      {operators.map((operator) => (
        <li key={operator.code}>
          <a href={href(operator.path)} aria-current={operator.isCurrent ? 'true' : undefined}>
            <Picture src={operator.image} width={80} height={80} alt="" ratio="square" />
            <span>
              <bdi>{operator.name}</bdi>
              {operator.note === undefined ? null : <small>{operator.note}</small>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
