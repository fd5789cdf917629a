import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import type { Words } from '../i18n.tsx'
import type { PageState } from './page-state.ts'

type Values = Readonly<Record<string, string | number>>
/** A message may be a text as it stands. */
type Message = CompiledMessage | string
type Forms = Readonly<Record<string, Message | number>>

/**
 * The translator over the texts that came with the page. They come compiled, and what is left to do is what our messages use: values,
 * numbers, plurals and choices. Lingui's runtime, which the server has, is four times that; a test holds both to the same words.
 */
export function createWords({
  language: { code, prefix, dir, intl },
  words,
}: Pick<PageState, 'language' | 'words'>): Words {
  const languages = [intl, 'en'].flat()
  let numbers: Intl.NumberFormat | undefined
  let plurals: Intl.PluralRules | undefined
  const figure = (value: number) => (numbers ??= new Intl.NumberFormat(languages)).format(value)
  const formOf = (value: number) => (plurals ??= new Intl.PluralRules(languages)).select(value)

  /** @param counted what `#` stands for */
  function write(message: Message, values: Values, counted?: number): string {
    if (typeof message === 'string') return message
    return message
      .map((part) => {
        if (typeof part === 'string')
          return part === '#' && counted !== undefined ? figure(counted) : part
        const [name, kind, forms] = part
        const value = values[name]
        if (!kind) return value ?? ''
        if (kind === 'number') return figure(Number(value))
        return choose(kind, value ?? '', forms as Forms, values)
      })
      .join('')
  }

  function choose(kind: string, value: string | number, forms: Forms, values: Values): string {
    const form = Object.hasOwn(forms, value) ? forms[value] : undefined
    if (kind === 'select') return write((form ?? forms['other']) as Message, values)
    const count = Number(value) - Number(forms['offset'] ?? 0)
    return write((form ?? forms[formOf(count)] ?? forms['other']) as Message, values, count)
  }

  return { language: code, prefix, dir, t: (key, values = {}) => write(words[key] ?? key, values) }
}
