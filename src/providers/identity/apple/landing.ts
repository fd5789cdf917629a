import { z } from 'zod'

const named = z.object({
  name: z.object({
    firstName: z.string().max(100).catch(''),
    lastName: z.string().max(100).catch(''),
  }),
})
const VALUE_MAX = 2_000

/**
 * Where a browser goes on to after Apple's page has posted the answer to the shop: the same landing by GET, so that it comes
 * with the cookies that a post from another site leaves out. The address tells the name but not the e-mail address, which
 * the id token holds anyway.
 */
export function appleLanding(form: FormData, path: string): string {
  const query = new URLSearchParams()
  for (const name of ['code', 'state', 'error']) {
    const value = form.get(name)
    if (typeof value === 'string' && value !== '' && value.length <= VALUE_MAX)
      query.set(name, value)
  }
  const user = nameOnly(form.get('user'))
  if (user !== null) query.set('user', user)
  return `${path}?${query}`
}

function nameOnly(user: FormDataEntryValue | null): string | null {
  if (typeof user !== 'string') return null
  try {
    return JSON.stringify(named.parse(JSON.parse(user)))
  } catch {
    return null
  }
}
