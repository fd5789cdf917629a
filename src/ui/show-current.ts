/** Scrolls a row, not the page, so that the link to what is shown is in sight. For rows that scroll sideways: they bear `data-show-current`. */
export function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector('[aria-current]')
  if (!row || !current) return
  const room = row.getBoundingClientRect()
  const link = current.getBoundingClientRect()
  if (link.left < room.left || link.right > room.right)
    row.scrollLeft += (link.left + link.right - room.left - room.right) / 2
}
