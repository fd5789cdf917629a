import { z } from 'zod'
import { changeParts, importSettings, triedParts } from '#features/office/setting/commands.ts'
import {
  findSetting,
  readSettingForms,
  settingsFile,
  tryFile,
} from '#features/office/setting/queries.ts'
import { fieldsOfKey } from '#features/office/setting/engine/fields.ts'
import { FILE_MOST } from '#features/office/setting/engine/file.ts'
import { partOf } from '#features/office/setting/rules.ts'
import { concealed } from '#features/base/setting/rules.ts'
import { sealLook } from '#features/base/theme/flows.ts'
import { SCHEMES } from '#features/base/theme/rules.ts'
import { themeSetting, themeShape } from '#features/base/theme/schema.ts'
import { AppError, fieldError } from '#kernel/error.ts'
import { operatorCall } from '../call.ts'
import { moment, nothing, publicId } from './shapes.ts'

const key = z.string().regex(/^[a-z_]{1,60}$/)
const VERSION = 'Zt3qN0f5Qy2mB7sJ1kVx9A'
const version = z
  .string()
  .regex(/^[A-Za-z0-9_-]{22}$/)
  .meta({ examples: [VERSION] })
const CHANGE = { part: 'name', value: 'Corner Shop', version: VERSION }
const parts = z
  .array(
    z.strictObject({
      part: z
        .string()
        .regex(/^[a-z_]{1,60}$/)
        .nullable(),
      /** As it is written; null takes it away. */
      value: z.unknown(),
      version,
    }),
  )
  .min(1)
  .max(40)
  .meta({ examples: [[CHANGE]] })
const changes = z.strictObject({ key, parts })

const settingsList = operatorCall({
  path: 'console/settings/list',
  summary:
    'Every setting of the shop with its parts: value, default, who changed it, and what it was',
  description:
    'What is secret is left out. `fault` says why a row does not hold; then the default does.',
  body: z.object({}),
  data: z.array(
    z.object({
      key: z.string(),
      fault: z.string().nullable(),
      tells_owners: z.boolean(),
      parts: z.array(
        z.object({
          part: z.string().nullable(),
          kind: z.string(),
          value: z.unknown(),
          standard: z.unknown(),
          is_set: z.boolean(),
          version: z.string(),
          changed: z.object({ by: z.string(), at: moment }).nullable(),
          former: z.array(z.object({ value: z.unknown(), by: z.string(), until: moment })),
        }),
      ),
    }),
  ),
  example: {},
  async answer({ ctx }) {
    const settings = await readSettingForms(ctx.db)
    return settings.map(({ key: name, fault, isTold, forms }) => ({
      key: name,
      fault,
      tells_owners: isTold,
      parts: forms.map(({ field, value, isSet, version, changed, former }) => ({
        part: field.part,
        kind: field.kind,
        value: value,
        standard: field.standard,
        is_set: isSet,
        version,
        changed: changed && { by: changed.by, at: changed.at.toISOString() },
        former: former.map((was) => ({
          value: was.value,
          by: was.by,
          until: was.until.toISOString(),
        })),
      })),
    }))
  },
})

const settingsPreview = operatorCall({
  path: 'console/settings/preview',
  summary:
    'What other values of a setting would mean, and what is wrong with them, before they hold',
  body: changes,
  data: z.object({
    parts: z.array(
      z.object({
        path: z.string(),
        before: z.unknown(),
        after: z.unknown(),
        effect: z.string(),
      }),
    ),
    /** Every owner with an address hears of it, and a fresh proof is asked for. */
    tells_owners: z.boolean(),
  }),
  example: { key: 'shop', parts: [CHANGE] },
  async answer({ ctx }, given) {
    const { before, after, setting } = await triedParts(ctx.db, given.key, given.parts)
    const [was, is] = [concealed(setting, before), concealed(setting, after)]
    return {
      parts: fieldsOfKey(given.key)
        .filter(({ part }) => given.parts.some((change) => change.part === part))
        .map(({ path, part, effect }) => ({
          path,
          before: partOf(was, part) ?? null,
          after: partOf(is, part) ?? null,
          effect,
        })),
      tells_owners: setting.isTold === true,
    }
  },
})

const waiting = publicId
  .nullable()
  .describe('The act that waits for a second person; null where it is done')
const HOLDS = 'It holds within five seconds. `version` is that of the value as it was read.'

const settingsChange = operatorCall({
  path: 'console/settings/change',
  summary: 'Change parts of a setting together',
  description: `${HOLDS} What every owner is told of is changed by \`console/settings/change_told\`.`,
  body: changes,
  data: nothing,
  example: { key: 'shop', parts: [CHANGE] },
  async answer({ ctx }, given) {
    if (findSetting(given.key)?.isTold) throw new AppError('not_found')
    await changeParts(ctx, given.key, given.parts)
    return {}
  },
})

const settingsChangeTold = operatorCall({
  path: 'console/settings/change_told',
  summary: 'Change parts of a setting that every owner is told of by mail',
  description: `${HOLDS} Wherever somebody else could approve it, it waits for them.`,
  body: changes,
  data: z.object({ waits: waiting }),
  example: {
    key: 'alerts',
    parts: [{ part: 'email', value: 'owner@corner.example', version: VERSION }],
  },
  async answer({ ctx }, given) {
    return { waits: await changeParts(ctx, given.key, given.parts) }
  },
})

const settingsExport = operatorCall({
  path: 'console/settings/export',
  summary: 'All settings as one text, without what is secret',
  body: z.object({}),
  data: z.object({ text: z.string() }),
  example: {},
  answer: async ({ ctx }) => ({ text: await settingsFile(ctx.db) }),
})

const settingsLook = operatorCall({
  path: 'console/settings/look',
  summary: 'Seal colours that are tried for half an hour, to look at pages of the shop in them',
  description:
    'Nothing is kept. `token` belongs to the parameter `look` of any public page; such a page may be shown within the console. What could not be kept, as nobody can read it, may be looked at.',
  body: z.strictObject({ theme: z.unknown(), scheme: z.enum(SCHEMES) }),
  data: z.object({ token: z.string() }),
  example: { theme: themeSetting.example, scheme: 'light' },
  async answer({ ctx }, { theme, scheme }) {
    const read = themeShape.safeParse(theme)
    if (!read.success) throw fieldError('theme', 'not_allowed')
    return { token: sealLook(ctx.keys, { theme: read.data, scheme }, ctx.now()) }
  },
})

const file = z.string().min(1).max(FILE_MOST)
const FILE = '{"format": "lukado-settings/1", "settings": {"low_stock_days": 7}}'

const settingsImportPreview = operatorCall({
  path: 'console/settings/import_preview',
  summary: 'What a file of settings would change, and everything wrong with it by its line',
  description:
    'Settings that it does not name stay. Those that every owner is told of are changed by themselves alone.',
  body: z.strictObject({ text: file }),
  data: z.object({
    version,
    changes: z.array(
      z.object({ key: z.string(), line: z.number(), before: z.unknown(), after: z.unknown() }),
    ),
    faults: z.array(
      z.object({
        line: z.number(),
        kind: z.enum(['json', 'format', 'unknown', 'value', 'elsewhere']),
        key: z.string(),
        text: z.string(),
      }),
    ),
  }),
  example: { text: FILE },
  async answer({ ctx }, { text }) {
    const tried = await tryFile(ctx.db, text, false)
    return {
      version: tried.version,
      changes: tried.changes.map(({ setting, line, before, after }) => ({
        key: setting.key,
        line,
        before: concealed(setting, before) ?? null,
        after: concealed(setting, after) ?? null,
      })),
      faults: tried.faults.map((fault) => ({ ...fault })),
    }
  },
})

const settingsImport = operatorCall({
  path: 'console/settings/import',
  summary: 'Take a file of settings in: all of it, or nothing where anything is wrong',
  description: '`version` is that of its preview.',
  body: z.strictObject({ text: file, version }),
  data: z.object({ changed: z.number() }),
  example: { text: FILE, version: VERSION },
  answer: async ({ ctx }, given) => ({
    changed: await importSettings(ctx, { ...given, isTerminal: false }),
  }),
})

export const SETTINGS_CALLS = [
  settingsExport,
  settingsImportPreview,
  settingsImport,
  settingsList,
  settingsPreview,
  settingsLook,
  settingsChange,
  settingsChangeTold,
] as const
