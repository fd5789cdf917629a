import { Icon } from '#ui/icon.tsx'

/** What was wrong as a whole; said aloud when it appears. */
export function Fault({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p className="note bad" role="alert">
      <Icon name="alert" />
      {text}
    </p>
  )
}
