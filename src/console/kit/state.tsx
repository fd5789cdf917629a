/** How a state is drawn: a mark of the stage, or a badge where a person must act. */
export type StateLook = '' | 'pay' | 'way' | 'done' | 'fail' | 'gone' | 'badge warn' | 'badge bad'

/** A state: its shape says the stage, a filled badge that a person must act, and always a word. */
export function State({ look, text }: { readonly look: StateLook; readonly text: string }) {
  return <span className={look.startsWith('badge') ? look : `st ${look}`.trim()}>{text}</span>
}
