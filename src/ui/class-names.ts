/** The class names that apply, parted by spaces. */
export function joined(...names: readonly (string | false | undefined)[]): string {
  let all = ''
  for (const name of names) {
    if (name) {
      all = all === '' ? name : `${all} ${name}`
    }
  }
  return all
}
