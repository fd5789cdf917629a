/**
 * JSON that may stand inside a <script> element: `<` cannot open a tag there, and the line separators that JavaScript
 * before 2019 refused are escaped.
 */
export function jsonForHtml(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
