import { createHash } from 'node:crypto'
import { z } from 'zod'

/** Somebody as the provider tells the shop about them. */
export interface DemoPerson {
  /** The `sub` claim. */
  readonly subject: string
  readonly name: string
  /** Empty: this provider knows none. */
  readonly email: string
  readonly emailVerified: boolean
}

/** Invented; no mail can reach them (RFC 2606). One of each kind that a shop must cope with. */
export const PEOPLE: readonly DemoPerson[] = [
  { subject: 'demo-ada', name: 'Ada Sample', email: 'ada@demo-id.example', emailVerified: true },
  {
    subject: 'demo-bilal',
    name: 'Bilal Sample',
    email: 'bilal@demo-id.example',
    emailVerified: true,
  },
  {
    subject: 'demo-chiyo',
    name: 'Chiyo Sample',
    email: 'chiyo@demo-id.example',
    emailVerified: false,
  },
  { subject: 'demo-dara', name: 'Dara Sample', email: '', emailVerified: false },
]

/** What the page's form sends. */
export interface Typed {
  readonly person: string
  readonly email: string
  readonly name: string
  readonly verified: boolean
}

export const OTHER = 'other'

const typedEmail = z.email().max(254)
const NAME_MAX = 100
const KEPT_MAX = 1_000

/** What keeps a form from saying who is meant. */
export type Lack = 'person' | 'email'

/** The people of this provider: the invented ones, and whoever was typed in since the start. */
export interface People {
  readonly find: (subject: string) => DemoPerson | undefined
  /** Who is meant by the form, or what it lacks. */
  readonly choose: (typed: Typed) => DemoPerson | Lack
}

export function demoPeople(): People {
  const known = new Map(PEOPLE.map((person) => [person.subject, person]))
  return {
    find: (subject) => known.get(subject),
    choose(typed) {
      const invented = PEOPLE.find((person) => person.subject === typed.person)
      if (invented) return invented
      if (typed.person !== OTHER) return 'person'
      const email = typedEmail.safeParse(typed.email.trim().toLowerCase())
      if (!email.success) return 'email'
      const person = {
        subject: subjectOf(email.data),
        name: typed.name.trim().slice(0, NAME_MAX),
        email: email.data,
        emailVerified: typed.verified,
      }
      known.set(person.subject, person)
      for (const subject of known.keys()) {
        if (known.size <= KEPT_MAX) break
        if (subject.startsWith('typed-')) known.delete(subject)
      }
      return person
    },
  }
}

/** The same address is the same person at every visit, after a restart too. */
function subjectOf(email: string): string {
  return `typed-${createHash('sha256').update(email).digest('hex').slice(0, 32)}`
}
