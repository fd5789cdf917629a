import { isSignedIn, person } from '../state/session.ts'

/** Who is signed in, at the head of the drawer: shared pages are sent without, and a page made for somebody is left behind by them. */
export function showDrawerPerson(): void {
  const name = document.querySelector<HTMLElement>('nav[popover] [data-person]')
  if (!name) return
  const show = () => {
    const known = person.get()
    if (known) name.textContent = known.nickname
    else if (!isSignedIn()) name.textContent = name.dataset['person'] ?? ''
  }
  person.subscribe(show)
  show()
}
