import { createHash } from 'node:crypto'
import { commonHeaders } from './common-headers.ts'

/** `'sha256-…'` source expression of an inline script (CSP Level 3). */
export function scriptHash(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

/**
 * Headers of every HTML page. `scripts` are the source expressions of its inline scripts. The development server injects
 * styles and opens a socket of its own: there no policy is set. `formTargets` are origins that a form sent without script may
 * end at, as browsers follow its redirects under the same rule.
 */
export function pageSecurityHeaders(
  scripts: readonly string[],
  mode: { readonly isHttps: boolean; readonly isDevelopment: boolean },
  formTargets: readonly string[] = [],
  /** Origins of pages that are shown within this one. */
  frames: readonly string[] = [],
): Record<string, string> {
  const policy = mode.isDevelopment
    ? {}
    : { 'content-security-policy': contentSecurityPolicy(scripts, formTargets, frames) }
  return {
    ...policy,
    ...commonHeaders(mode.isHttps),
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  }
}

function contentSecurityPolicy(
  scripts: readonly string[],
  formTargets: readonly string[],
  frames: readonly string[],
): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts.join(' ')}`.trim(),
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    // A picture chosen from the device is shown before it is sent.
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    ...(frames.length === 0 ? [] : [["frame-src 'self'", ...frames].join(' ')]),
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')
}
