import type { ConsoleContext, Loaded } from '../page.ts'

export type SettingsFileData = Readonly<Record<string, never>>

export async function load({ t }: ConsoleContext): Promise<Loaded<SettingsFileData>> {
  return { title: t('console.settingsFile.nav'), data: {} }
}
