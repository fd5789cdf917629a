import { person } from '../state/session.ts'

/** Who is signed in, at the head of the drawer: pages are sent without. */
export function showDrawerPerson(): void {
  const name = document.querySelector<HTMLElement>('nav[popover] [data-person]')
  if (!name) return
  const door = name.textContent
  const show = () => {
    name.textContent = person.get()?.nickname ?? door
  }
  person.subscribe(show)
  if (person.get()) show()
}
