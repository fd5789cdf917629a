import type { OperatorCommand } from '../commands.ts'

export const shopCommands: readonly OperatorCommand[] = [
  {
    name: 'settings list',
    parameters: [],
    options: ['--json'],
    summary: "list the shop's settings with their values",
    description:
      'Those that are not set have their default. docs/operating/settings.md explains each.',
    permission: 'system.read',
    act: async () => (await import('../settings.ts')).listSettingsCommand,
  },
  {
    name: 'settings get',
    parameters: ['<setting>'],
    summary: 'show a setting, or a part of one, as shop.name',
    description: 'As JSON.',
    permission: 'system.read',
    act: async () => (await import('../settings.ts')).getSettingCommand,
  },
  {
    name: 'settings set',
    parameters: ['<setting>', '<value>'],
    summary: 'set a setting, or a part of one',
    description:
      'The value is JSON or plain text: settings set shop.name "Corner Shop". What does not do is refused and changes nothing.',
    permission: 'shop.manage',
    act: async () => (await import('../settings.ts')).setSettingCommand,
  },
  {
    name: 'settings unset',
    parameters: ['<setting>'],
    summary: 'take a setting away, so that its default holds',
    description: 'Of the whole, or of a part, as shop.support_hours.',
    permission: 'shop.manage',
    act: async () => (await import('../settings.ts')).unsetSettingCommand,
  },
  {
    name: 'settings export',
    parameters: ['<file>'],
    summary: 'write all settings into one file, without secrets',
    description: 'JSON, as settings import takes it. A file that is there already stays as it is.',
    permission: 'shop.manage',
    act: async () => (await import('../settings.ts')).exportSettingsCommand,
  },
  {
    name: 'settings import',
    parameters: ['<file>'],
    options: ['--dry-run'],
    summary: 'take a file of settings in, all of it or nothing',
    description:
      'Tells each setting before and after, and every fault by its line. Settings that the file does not name stay, and so do secrets; null takes one away.',
    permission: 'shop.manage',
    act: async () => (await import('../settings.ts')).importSettingsCommand,
  },
  {
    name: 'secret-key accept',
    parameters: [],
    summary: 'go on under a new SECRET_KEY after the old one was lost for good',
    description:
      'With the shop stopped, and the new key in place. Authenticator apps that the lost key had sealed are turned off, and their owners told by mail; card keys imported before are not recognised as doubles any more.',
    permission: 'system.manage',
    act: async () => (await import('../secret-key.ts')).acceptSecretKeyCommand,
  },
  {
    name: 'jobs dead',
    parameters: [],
    options: ['--json'],
    summary: 'list jobs that failed too often',
    description:
      'Oldest first, 200 at most, with their last error and without what they were to do.',
    permission: 'system.read',
    act: async () => (await import('../jobs.ts')).listDeadJobsCommand,
  },
  {
    name: 'jobs retry',
    parameters: ['[job …]'],
    summary: 'let such jobs be tried again',
    description: 'All of them, or those named by jobs dead. Every job may be done twice.',
    permission: 'system.manage',
    act: async () => (await import('../jobs.ts')).retryJobsCommand,
  },
]
