import css from './folded-picture.module.css'

/** A picture that helps whoever looks for it: folded, and fetched once it is opened. HTML alone. */
export function FoldedPicture({
  summary,
  image,
  alt,
}: {
  readonly summary: string
  readonly image: string
  readonly alt: string
}) {
  return (
    <details className={css.folded}>
      <summary>{summary}</summary>
      <img src={image} alt={alt} width={640} height={400} loading="lazy" decoding="async" />
    </details>
  )
}
