import { useEffect, useState } from 'react'
import type { Scheme } from '#features/base/theme/rules.ts'
import { callConsole } from '../browser/call.ts'

const SETTLE_MS = 400

/** What a page's address needs to be looked at in these colours; null until that is known, and for what are no colours. */
export function useLook(theme: unknown, scheme: Scheme): string | null {
  const [token, setToken] = useState<string | null>(null)
  const wanted = JSON.stringify({ theme, scheme })
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(async () => {
      const body = JSON.parse(wanted) as { readonly theme: unknown; readonly scheme: Scheme }
      const outcome = await callConsole<{ readonly token: string }>('settings/look', body).catch(
        () => null,
      )
      // Colours that are half typed leave what was looked at before.
      if (!isOver && outcome?.isDone) setToken(outcome.data.token)
    }, SETTLE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [wanted])
  return token
}
