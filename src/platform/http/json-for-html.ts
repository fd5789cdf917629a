/**
 * JSON that may stand inside a <script> element: `<` cannot open a tag there, and the line separators that JavaScript
 * before 2019 refused are escaped.
 */
export function jsonForHtml(value: unknown): string {
  // Three passes over plain text, each skipped where there is nothing to find, beat one with a pattern.
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
