/** What may hold something that was typed or chosen. */
type Typable = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const TYPABLE = 'input, textarea, select'

/** What was in a field before the application was alive: a text, or whether it was ticked. */
type Typed = string | boolean

/**
 * Notes what was typed on a page before it is alive. @returns what tells the fields of it, once the application listens to them: React
 * knows what the server wrote there, and would put that back with the next thing it draws.
 */
export function keepTyped(root: ParentNode): () => void {
  const noted = new Map<Typable, Typed>()
  const note = () => {
    for (const field of root.querySelectorAll<Typable>(TYPABLE)) {
      const typed = typedIn(field)
      if (typed !== null) noted.set(field, typed)
    }
  }
  note()
  return () => {
    // Typing went on while the application came to life.
    note()
    for (const [field, typed] of noted) if (field.isConnected) tell(field, typed)
  }
}

/** What is in a field that the server did not put there; null where there is nothing such. */
function typedIn(field: Typable): Typed | null {
  if (field instanceof HTMLSelectElement) {
    if (field.multiple) return null
    const given = [...field.options].find((option) => option.defaultSelected) ?? field.options[0]
    return given === undefined || given.selected ? null : field.value
  }
  if (isTicked(field)) return field.checked === field.defaultChecked ? null : field.checked
  if (field.type === 'file' || field.type === 'hidden') return null
  return field.value === field.defaultValue ? null : field.value
}

const isTicked = (field: Typable): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')

/** Puts it there once more, as if it were typed now. */
function tell(field: Typable, typed: Typed): void {
  if (typeof typed === 'boolean') {
    if (!(field instanceof HTMLInputElement)) return
    // Of radio tiles, the one that is chosen takes the others with it.
    if (field.type === 'radio' && !typed) return
    field.checked = !typed
    field.click()
    return
  }
  if (!(field instanceof HTMLSelectElement)) {
    // React compares with what was written through the element itself, so that this is no news to it …
    field.value = field.defaultValue
  }
  // … and what is written past it is.
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
  own?.set?.call(field, typed)
  field.dispatchEvent(
    new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  )
}
