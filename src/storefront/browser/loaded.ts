/** Once everything that this page needs has come, as a task of its own. */
export function whenLoaded(act: () => void): void {
  const wait = () => setTimeout(act)
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
