import type { ComponentProps, ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'
import css from './search.module.css'

export interface SearchBoxProps extends Omit<ComponentProps<'form'>, 'action' | 'children'> {
  action: string
  /** Label of the input for screen readers; shown as its placeholder too. */
  label: string
  /** Goes to the input: `id`, `name` and, where there is a panel, the attributes of a combobox. */
  input: ComponentProps<'input'> & { id: string; name: string }
  /** Name of the landmark, where a page has several. */
  landmark?: string | undefined
  /** Large, with a button bearing this text. */
  submit?: string | undefined
  /** What opens under it, usually a `SearchPanel`. */
  children?: ReactNode
}

/** Search form that works by GET alone. The input is one of text: a combobox may be no `search`. */
export function SearchBox({ label, landmark, input, submit, children, ...form }: SearchBoxProps) {
  return (
    <form
      role="search"
      aria-label={landmark}
      {...form}
      className={submit === undefined ? css.search : `${css.search} ${css.big}`}
    >
      <label className="sr" htmlFor={input.id}>
        {label}
      </label>
      <Icon name="search" />
      <input
        type="text"
        inputMode="search"
        placeholder={label}
        autoComplete="off"
        enterKeyHint="search"
        {...input}
      />
      {submit === undefined ? null : (
        <button type="submit" className={buttonClass({ look: 'solid' }, css.go)}>
          <span>{submit}</span>
          <Icon name="arrow" />
        </button>
      )}
      {children}
    </form>
  )
}
