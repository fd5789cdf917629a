import anyAscii from 'any-ascii'

const NOT_WORD = /[^a-z0-9]+/g

/** A word of any script in Latin letters and digits, without spaces: 原神 → yuanshen, геншин → genshin. */
export function toLatin(source: string): string {
  return anyAscii(source.normalize('NFC')).toLowerCase().replace(NOT_WORD, '')
}

const CONSONANT: Readonly<Record<string, string>> = {
  b: 'p',
  p: 'p',
  f: 'p',
  v: 'p',
  d: 't',
  t: 't',
  g: 'k',
  j: 'k',
  k: 'k',
  q: 'k',
  l: 'l',
  r: 'l',
  m: 'm',
  n: 'n',
  s: 's',
  z: 's',
  x: 'ks',
}

/**
 * The consonants of a Latin word in the classes that other scripts keep apart badly (p/b/f/v, l/r, k/g/j …), so that
 * the same name heard in two languages meets: steam and стим (stim) are both `stm`, roblox and robloks `lplks`.
 */
export function phoneticKey(latin: string): string {
  const spelled = latin.replaceAll('tion', 'sn').replaceAll('ph', 'f').replaceAll('ck', 'k')
  let key = /^[aeiou]/.test(spelled) ? 'a' : ''
  let previous = ''
  for (let i = 0; i < spelled.length; i++) {
    const letter = spelled[i] ?? ''
    if (letter === previous) continue
    previous = letter
    if (letter >= '0' && letter <= '9') key += letter
    else if (letter === 'c') key += 'eiy'.includes(spelled[i + 1] ?? '-') ? 's' : 'k'
    else key += CONSONANT[letter] ?? ''
  }
  return key
}
