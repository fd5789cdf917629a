/**
 * A syllable: perhaps a small NGA above, the letter it is built on, letters stacked below it, medials, and signs of vowels and tones.
 * Shan, Mon and Karen write more than this; what is not met here is drawn in the order it is written.
 */
const SYLLABLE =
  /(\u1004\u103a\u1039)?([\u1000-\u102a\u103f-\u1049\u104e])((?:\u1039[\u1000-\u1021])*)([\u103b-\u103e]*)([\u102b-\u1038\u103a]*)/g
const VOWEL_E = '\u1031'
const MEDIAL_RA = '\u103c'

/** Features by which Burmese letters stack, join and make room for each other, as OpenType names them for the script. */
export const BURMESE_FEATURES: string[] = [
  'rphf',
  'pref',
  'blwf',
  'pstf',
  'pres',
  'abvs',
  'blws',
  'psts',
  'dist',
  'abvm',
  'blwm',
]

/**
 * A text in the order in which its signs are drawn, for a shaper that does not know it: the vowel E and the medial RA stand before
 * their letter, a small NGA after it (https://learn.microsoft.com/typography/script-development/myanmar).
 */
export function drawnOrder(text: string): string {
  return text.replace(
    SYLLABLE,
    (
      _,
      nga: string | undefined,
      letter: string,
      stacked: string,
      medials: string,
      signs: string,
    ) => {
      const before =
        (signs.includes(VOWEL_E) ? VOWEL_E : '') + (medials.includes(MEDIAL_RA) ? MEDIAL_RA : '')
      return (
        before +
        letter +
        (nga ?? '') +
        stacked +
        medials.replace(MEDIAL_RA, '') +
        signs.replace(VOWEL_E, '')
      )
    },
  )
}
