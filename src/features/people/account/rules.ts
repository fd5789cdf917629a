import { domainToASCII } from 'node:url'
import { fieldError } from '#kernel/error.ts'
import type { LanguageCode } from '#kernel/language.ts'

export const USER_NAME = /^[A-Za-z0-9]{6,32}$/
export const NICKNAME_MAX = 40
const EMAIL_MAX = 254
/** Without `=?`, which begins an encoded word (RFC 2047): a mail server that decodes it would write to another address. */
const LOCAL_PART = /^(?!\.)(?!.*\.\.)(?!.*=\?)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}(?<!\.)$/
const DOMAIN =
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{2,59})$/

/**
 * An e-mail address as it is kept and compared: without spaces around it, in lower case, its domain in ASCII. Null for
 * what no mail could be sent to.
 */
export function emailOf(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > EMAIL_MAX) return null
  const local = text.slice(0, at)
  const domain = domainToASCII(text.slice(at + 1))
  const email = `${local}@${domain}`
  return LOCAL_PART.test(local) && DOMAIN.test(domain) && email.length <= EMAIL_MAX ? email : null
}

export function isUserName(text: string): boolean {
  return USER_NAME.test(text)
}

/** Letters that show nothing (Hangul fillers, the empty Braille cell). */
const BLANKS = '\u115f\u1160\u3164\uffa0\u2800'

/** Letters and marks of scripts whose spelling needs the two joiners: Persian «می‌خواهم», Sinhala «ශ්‍රී». */
const JOINED = String.raw`[[\p{L}\p{M}]&&[${[
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Hanifi_Rohingya',
  'Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala',
  'Khmer Myanmar Tibetan Balinese Javanese',
]
  .flatMap((scripts) => scripts.split(' '))
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')}]]`
/** Signs that take a letter's vowel away: a joiner after one shapes the letter itself, also at the end of a word. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
const EMOJI = String.raw`\p{Extended_Pictographic}`
/** A joiner that can be seen by what it does (group 1), or any other, which only hides. */
const JOINER = new RegExp(
  String.raw`((?<=${JOINED})[\u200c\u200d](?=${JOINED})|(?<=${VIRAMA})\u200d(?![\u200c\u200d]*\p{L})|(?<=${EMOJI}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=${EMOJI}))|[\u200c\u200d]`,
  'gv',
)

/** A nickname as it is kept: composed, single spaces, nothing that hides or turns text around. Null when none is left. */
export function nicknameOf(typed: string): string | null {
  const text = typed
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu, '')
    .replaceAll(JOINER, (_, kept: string | undefined) => kept ?? '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return [...text].some((letter) => letter !== ' ' && !BLANKS.includes(letter)) &&
    text.length <= NICKNAME_MAX
    ? text
    : null
}

/** What people type to say which account they mean: an e-mail address where it holds an @, otherwise a user name. */
export type AccountName =
  | { readonly kind: 'email'; readonly text: string }
  | { readonly kind: 'user_name'; readonly text: string }

/** Upper and lower case are the same account. A user name holds no @, so no text can mean both. */
export function accountNameOf(typed: string): AccountName {
  const text = typed
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .toLowerCase()
    .slice(0, TYPED_MAX)
  return text.includes('@')
    ? { kind: 'email', text: emailOf(text) ?? text }
    : { kind: 'user_name', text }
}

const TYPED_MAX = 300

/** 'frozen' by an operator: nobody signs in until it is released. */
export type AccountStatus = 'active' | 'frozen' | 'cancelling' | 'erased'

/** An account as signing in and its flows see it. */
export interface Account {
  readonly id: string
  readonly userName: string
  readonly nickname: string
  readonly email: string
  readonly passwordHash: string | null
  readonly language: LanguageCode
  readonly status: AccountStatus
}

/** Names of the fields on the wire, for refusals at the field. */
export const FIELD = {
  account: 'account',
  code: 'code',
  email: 'email',
  password: 'password',
  newPassword: 'new_password',
  proofCode: 'proof_code',
  userName: 'username',
  nickname: 'nickname',
} as const

/** As `emailOf`, for a field of a form. Throws `check_fields`. */
export function assertEmail(typed: string, field: string): string {
  const email = emailOf(typed)
  if (email === null) throw fieldError(field, typed.trim() === '' ? 'required' : 'email_format')
  return email
}
