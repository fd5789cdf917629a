/** Entry of the development server: hot reload first, then the application. */
await import(/* @vite-ignore */ '/@vite/client' as string)
const refresh = (await import(/* @vite-ignore */ '/@react-refresh' as string)) as {
  default?: { injectIntoGlobalHook(target: Window): void }
  injectIntoGlobalHook?(target: Window): void
}
const inject = refresh.injectIntoGlobalHook ?? refresh.default?.injectIntoGlobalHook
inject?.(window)
Object.assign(window, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type })
await import('./entry.tsx')
export {}
