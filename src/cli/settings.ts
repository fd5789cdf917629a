import { readFile, writeFile } from 'node:fs/promises'
import { concealed } from '#features/base/setting/rules.ts'
import { changeSetting, importSettings, unsetSetting } from '#features/office/setting/commands.ts'
import {
  findSetting,
  listSettings,
  readRow,
  settingsFile,
  tryFile,
} from '#features/office/setting/queries.ts'
import { partOf, placeOf } from '#features/office/setting/rules.ts'
import { refusal } from '#platform/refusal.ts'
import type { OperatorRun } from './commands.ts'
import { explained, positionals, print, table } from './table.ts'

const SENTENCES = {
  not_found: 'There is no such setting. npm run cli -- settings list shows them.',
}
const SHOWN = 60

export const listSettingsCommand: OperatorRun = async (ctx, args) => {
  const settings = await listSettings(ctx.db)
  print(args, settings, () =>
    table(
      ['SETTING', 'VALUE', 'WHAT'],
      settings.map(({ key, row, summary, fault }) => [
        key,
        fault === null ? shortened(row) : `wrong: ${fault}`,
        summary,
      ]),
    ),
  )
  return 0
}

export const getSettingCommand: OperatorRun = async (ctx, args) => {
  const [path = ''] = positionals(args)
  const { key, part } = placeOf(path)
  const setting = findSetting(key)
  if (!setting) throw refusal(SENTENCES.not_found)
  const value = partOf(concealed(setting, await readRow(ctx.db, key)), part)
  process.stdout.write(
    value === undefined ? 'Not set; its default holds.\n' : `${JSON.stringify(value, null, 2)}\n`,
  )
  return 0
}

export const setSettingCommand: OperatorRun = async (ctx, args) => {
  const [path = '', value = ''] = positionals(args)
  await explained(SENTENCES, changeSetting(ctx, path, value))
  process.stdout.write(`${path} is set; the shop shows it within seconds.\n`)
  return 0
}

export const unsetSettingCommand: OperatorRun = async (ctx, args) => {
  const [path = ''] = positionals(args)
  await explained(SENTENCES, unsetSetting(ctx, path))
  process.stdout.write(`${path} is not set any more; its default holds.\n`)
  return 0
}

function shortened(row: unknown): string {
  if (row === undefined) return '(default)'
  const text = JSON.stringify(row)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

export const exportSettingsCommand: OperatorRun = async (ctx, args) => {
  const [path = ''] = positionals(args)
  const text = await settingsFile(ctx.db)
  await writeFile(path, text, { flag: 'wx' }).catch((error: unknown) => {
    throw refusal(`${path} cannot be written, or is there already.`, error)
  })
  process.stdout.write(`${path} is written.\n`)
  return 0
}

export const importSettingsCommand: OperatorRun = async (ctx, args) => {
  const [path = ''] = positionals(args)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refusal(`${path} cannot be read.`, error)
  })
  const tried = await tryFile(ctx.db, text, true)
  for (const { setting, before, after } of tried.changes)
    process.stdout.write(
      `${setting.key}: ${shortened(concealed(setting, before))} → ${shortened(concealed(setting, after))}\n`,
    )
  if (tried.faults.length > 0)
    throw refusal(
      `${tried.faults
        .map(
          ({ line, key, text: words }) => `Line ${line}: ${key === '' ? '' : `${key}: `}${words}.`,
        )
        .join('\n')}\nNothing was changed.`,
    )
  if (args.includes('--dry-run')) {
    process.stdout.write('Nothing was changed.\n')
    return 0
  }
  const count = await importSettings(ctx, { text, version: tried.version, isTerminal: true })
  process.stdout.write(`Settings changed: ${count}.\n`)
  return 0
}
