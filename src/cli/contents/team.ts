import { PROOF_OPTIONS, type Command } from '../commands.ts'

const ROLES = 'owner, catalogue, orders, support, finance, read-only or one of the shop’s own'

export const teamCommands: readonly Command[] = [
  {
    name: 'operator create',
    parameters: ['<name>', '<role>'],
    options: PROOF_OPTIONS,
    summary: 'make an account for somebody who runs the shop',
    description: `Roles: ${ROLES}. The first operator of a shop is an owner and needs nobody's leave; later ones are made by an operator with staff.manage. Asks for the new password, or takes it from OPERATOR_NEW_PASSWORD.`,
    load: async () => (await import('../operator.ts')).createCommand,
  },
  {
    name: 'operator invite',
    parameters: [],
    summary: 'write the link by which the first owner makes their account',
    description:
      'To owner-link in the data directory, for you alone (mode 0600); it is not printed, and good for 72 hours and one account. A start without any operator writes it by itself. Later operators are invited by mail, in the console.',
    load: async () => (await import('../owner-link.ts')).inviteCommand,
  },
  {
    name: 'operator list',
    parameters: [],
    options: ['--json'],
    summary: 'list the operators with their roles',
    description: 'With how many tokens of each are in force.',
    permission: 'staff.read',
    act: async () => (await import('../operator.ts')).listCommand,
  },
  {
    name: 'operator role',
    parameters: ['<name>', '<role>'],
    summary: 'give an operator another role',
    description: `Roles: ${ROLES}. A shop keeps at least one active owner.`,
    permission: 'staff.manage',
    act: async () => (await import('../operator.ts')).roleCommand,
  },
  {
    name: 'operator disable',
    parameters: ['<name>'],
    summary: 'shut an operator out, and end their tokens',
    description:
      'The account stays, as the audit trail quotes its name; operator enable lets it in again.',
    permission: 'staff.manage',
    act: async () => (await import('../operator.ts')).disableCommand,
  },
  {
    name: 'operator enable',
    parameters: ['<name>'],
    summary: 'let an operator in again who was shut out',
    description: 'Their password is the one they had; tokens that were ended stay so.',
    permission: 'staff.manage',
    act: async () => (await import('../operator.ts')).enableCommand,
  },
  {
    name: 'operator password',
    parameters: ['<name>'],
    summary: 'set a new password, your own or with staff.manage another',
    description:
      'Asks for the new password, or takes it from OPERATOR_NEW_PASSWORD. Ends the tokens of that operator.',
    permission: null,
    act: async () => (await import('../operator.ts')).passwordCommand,
  },
  {
    name: 'operator token',
    parameters: ['<file>'],
    options: ['--days <n>'],
    summary: 'write a token for scripts, which proves who you are, to a file',
    description:
      'The file is made for you alone (mode 0600) and must not exist yet. Give it to commands with --token-file or OPERATOR_TOKEN_FILE. It lasts 90 days unless --days says otherwise, at most 400.',
    permission: null,
    act: async () => (await import('../operator.ts')).tokenCommand,
  },
  {
    name: 'audit verify',
    parameters: [],
    options: ['--json'],
    summary: 'look whether the audit trail is as it was sealed, batch by batch',
    description:
      'Names each batch in which a row was changed, taken out or put in, and each that is missing. Exit code 1 where there is one. Compares with what the worker wrote to audit-heads in the data directory.',
    permission: 'staff.read',
    act: async () => (await import('../audit.ts')).verifyCommand,
  },
  {
    name: 'operator reset',
    parameters: ['<name>'],
    summary: 'take away the lost second factors of an operator, an hour from now',
    description:
      'For a shop with nobody else who manages the team; elsewhere an owner asks for it in the console. Everybody is told by mail, and it can be stopped in the console meanwhile. Sessions end with it, and the next sign-in makes another factor.',
    load: async () => (await import('../operator.ts')).resetCommand,
  },
  {
    name: 'operator recover',
    parameters: ['<name>'],
    summary: "set a new password and make the operator an active owner, with nobody's leave",
    description:
      'For a shop whose owners have lost their passwords. Whoever may run commands on this machine can do it; the audit trail says that it was done from the shell.',
    load: async () => (await import('../operator.ts')).recoverCommand,
  },
]
