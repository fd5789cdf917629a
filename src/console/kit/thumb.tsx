/** What was bought, in small, beside its name. Room is kept where there is no picture. */
export function Thumb({ picture }: { readonly picture: string }) {
  return picture === '' ? (
    <span className="thumb" />
  ) : (
    <img className="thumb" src={picture} alt="" width="28" height="28" loading="lazy" />
  )
}
