const DROP_DOWN = 'details[name=nav]'

/** Drop-downs of the header and its drawer: closing, and where the focus goes. They open without script. */
export function handleMenus(): void {
  const leave = (event: Event) => {
    if (!(event.target as Element | null)?.closest?.(DROP_DOWN)) closeDropDowns()
  }
  document.addEventListener('pointerdown', leave)
  document.addEventListener('focusin', leave)
  document.addEventListener('keydown', leaveOnEscape)
  const drawer = document.querySelector<HTMLElement>('nav[popover]')
  drawer?.addEventListener('toggle', enterDrawer)
  drawer?.addEventListener('focusout', leaveDrawer)
}

/** What a person leaves open is closed when they come back. */
export function closeMenus(): void {
  closeDropDowns()
  for (const drawer of document.querySelectorAll<HTMLElement>('[popover]:popover-open'))
    drawer.hidePopover()
}

function closeDropDowns(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(`${DROP_DOWN}[open]`))
    menu.open = false
}

/** Escape leads back to the name of the drop-down. */
function leaveOnEscape(event: KeyboardEvent): void {
  const menu =
    event.key === 'Escape' ? document.querySelector<HTMLDetailsElement>(`${DROP_DOWN}[open]`) : null
  if (!menu) return
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
  menu.open = false
}

/** The focus goes into the drawer as it opens, so that the Tab key continues there. */
function enterDrawer(event: Event): void {
  if ((event as ToggleEvent).newState === 'open')
    (event.currentTarget as HTMLElement).querySelector('button')?.focus()
}

/** Going on with the Tab key past its last link closes it. */
function leaveDrawer(event: FocusEvent): void {
  const drawer = event.currentTarget as HTMLElement
  if (event.relatedTarget !== null && !drawer.contains(event.relatedTarget as Node))
    drawer.hidePopover()
}
