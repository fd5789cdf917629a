import { Icon } from '#ui/icon.tsx'
import type { GuideLine } from './load.ts'

/** What a step is about, each from a fact of the shop: what is open, and what of it. */
export function Facts({ lines }: { readonly lines: readonly GuideLine[] }) {
  if (lines.length === 0) return null
  return (
    <section className="panel flush">
      <ul className="todo line-t single">
        {lines.map(({ name, title, text, isDone, open }) => (
          <li key={name} className={isDone ? undefined : 'soon'}>
            <p>
              <b>
                <Icon name={isDone ? 'check' : 'alert'} /> {title}
              </b>
              {!isDone && (
                <small>
                  {text}
                  {open.length > 0 && (
                    <>
                      {' '}
                      <bdi className="mono">{open.join(', ')}</bdi>
                    </>
                  )}
                </small>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
