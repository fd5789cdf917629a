/**
 * The one stylesheet: of every component and page, also of those that no script of the browser knows. Built beside the entry; the
 * pages link to the stylesheet alone.
 */
import '#ui/tokens.css'
import '#ui/base.css'

/** Exported, or the bundler would leave out what nothing uses. */
export const sheets = import.meta.glob(['../../ui/*.module.css', '../*/*.module.css'], {
  eager: true,
  import: 'default',
})
