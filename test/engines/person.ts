import type { LanguageCode } from '#kernel/language.ts'
import { openMailbox } from '../e2e/mailbox.ts'
import { newPassword, randomName } from '../e2e/people/shopper.ts'

export interface Person {
  readonly email: string
  readonly userName: string
  readonly password: string
}

/** Opens an account over the wire, beside every browser. */
export async function register(shopUrl: string, language: LanguageCode): Promise<Person> {
  const userName = randomName()
  const person = { email: `${userName}@shopper.example`, userName, password: newPassword() }
  const { email } = person
  const call = async (name: string, body: object) => {
    const answer = await fetch(`${shopUrl}/api/user/${name}?lang=${language}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { code, msg } = (await answer.json()) as { code: number; msg: string }
    if (code !== 1) throw new Error(`${name}: ${msg}`)
  }
  await call('send_code', { type: 'register', account: email })
  const code = await openMailbox(shopUrl, email).takeCode()
  const { password } = person
  await call('register', { type: 'email', email, code, username: userName, password })
  return person
}
