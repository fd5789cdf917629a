declare global {
  interface Window {
    /** What was pressed before its island was alive, in order; filled by the boot script. */
    held?: HTMLElement[]
  }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What happened to an island before it was alive. */
export interface FirstTouch {
  readonly changed: readonly { readonly field: Field; readonly value: string }[]
  readonly focused: Element | null
}

/**
 * To be read as soon as React has committed, before it draws anything again: fields that hold something else than the page was sent
 * with, typed by a person or put back by the browser, and where the focus is.
 */
export function readFirstTouch(island: HTMLElement): FirstTouch {
  const fields = [
    ...island.querySelectorAll<Field>('input:not([type=hidden], [type=file]), select, textarea'),
  ]
  const { activeElement } = document
  return {
    changed: fields.filter(isChanged).map((field) => ({ field, value: field.value })),
    focused: island.contains(activeElement) ? activeElement : null,
  }
}

/** Gives it to the island, now that somebody hears it: what was typed and chosen, the focus, then what was pressed, in order. */
export function replayFirstTouch(island: HTMLElement, { changed, focused }: FirstTouch): void {
  for (const { field, value } of changed) replayField(field, value)
  focused?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  island.dataset['alive'] = ''
  const held = window.held ?? []
  window.held = held.filter((pressed) => !island.contains(pressed))
  for (const pressed of held) {
    if (!island.contains(pressed)) continue
    delete pressed.dataset['held']
    pressed.click()
  }
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return field.selectedIndex !== Math.max(0, [...field.options].findIndex(isDefault))
  if (isTicked(field)) return field.checked !== field.defaultChecked && !isLeftRadio(field)
  return field.value !== field.defaultValue
}

function isDefault(option: HTMLOptionElement): boolean {
  return option.defaultSelected
}

/** Of radios the one chosen tells all. */
function isLeftRadio(field: HTMLInputElement): boolean {
  return field.type === 'radio' && !field.checked
}

function isTicked(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio'
}

function replayField(field: Field, value: string): void {
  if (field instanceof HTMLSelectElement) {
    field.value = value
    field.dispatchEvent(new Event('change', { bubbles: true }))
  } else if (isTicked(field)) {
    // Taken back and pressed again: React hears of a change only.
    field.checked = field.type === 'radio' ? false : field.defaultChecked
    field.click()
  } else {
    retype(field, value)
  }
}

/** React compares what a field holds with what it has seen there, which a value set on the element itself counts as. */
function retype(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const caret = document.activeElement === field ? selectionOf(field) : null
  field.value = ''
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (caret) field.setSelectionRange(caret[0], caret[1])
}

/** Null for fields that know no selection: numbers, mail addresses. */
function selectionOf(field: HTMLInputElement | HTMLTextAreaElement): [number, number] | null {
  const { selectionStart, selectionEnd } = field
  return selectionStart === null || selectionEnd === null ? null : [selectionStart, selectionEnd]
}
