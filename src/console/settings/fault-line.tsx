/** What is wrong with what stands above it; said aloud when it appears. */
export function FaultLine({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p className="msg down" role="alert">
      {text}
    </p>
  )
}
