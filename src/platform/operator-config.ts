import { resolve } from 'node:path'
import { secret, type Secret } from './secret.ts'

/** How commands may be told who runs them without a terminal; never by arguments, which every user of a machine can read. */
export interface OperatorEnvironment {
  readonly password: Secret | undefined
  /** For commands that set a password. */
  readonly newPassword: Secret | undefined
  /** Absolute path. */
  readonly tokenFile: string | undefined
}

export function operatorEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): OperatorEnvironment {
  const text = (name: string) => environment[name] || undefined
  const [password, newPassword, tokenFile] = [
    text('OPERATOR_PASSWORD'),
    text('OPERATOR_NEW_PASSWORD'),
    text('OPERATOR_TOKEN_FILE'),
  ]
  return {
    password: password === undefined ? undefined : secret(password),
    newPassword: newPassword === undefined ? undefined : secret(newPassword),
    tokenFile: tokenFile === undefined ? undefined : resolve(tokenFile),
  }
}
