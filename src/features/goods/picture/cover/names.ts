/** Units, kinds of goods and other words that many products share and that say nothing about this one. */
const GENERIC_WORDS =
  /\b(gift ?cards?|e-?gift|wallet code|wallet|vouchers?|codes?|cards?|top-?ups?|prepaid|pins?|subscription|membership|diamonds?|crystals?|genesis|coins?|points?|credits?|tokens?|cash|uc|cp|np|vp|rp|rs|gold bars?|unknown cash|candies|tanium|minecoins|bonds|rc|balance|load|pulsa|refill|reload|airtime|wild cores|big cat|wild coins|play balance|nitro|\d+ (?=month|day)|oneiric|shards?|shard|lunite|polychrome|stellar|monochrome|jade|gems?|robux|echoes|recharge|mobile recharge|airtime|data|packs?|bundle|plan|season|weekly pass|monthly|months?|days?|global|digital|edition|key|v-bucks|premium)\b/gi

/** What is lettered on the cover: the head of the name without generic words, in the letters of the cover alphabet. */
export function shortName(name: string): string {
  const head = name.replace(/\(.*?\)/g, ' ').split(/:| – | - /)[0] ?? ''
  return coverLetters(head.replace(GENERIC_WORDS, ' ')) || coverLetters(head)
}

function coverLetters(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toUpperCase()
    .replace(/[^A-Z0-9&+.\- ]/g, ' ')
    .replace(/(^|\s)[.\-+&]+(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** At most three lines of at most five words; short words share a line. */
export function breakLines(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').slice(0, 5)) {
    const last = lines.at(-1)
    if (last && sharesLine(last, word)) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.slice(0, 3)
}

function sharesLine(last: string, word: string): boolean {
  return (
    `${last} ${word}`.length <= 6 ||
    (word.length < 3 && (last + word).length <= 10) ||
    (last.length < 3 && (last + word).length <= 9) ||
    last === 'THE'
  )
}
