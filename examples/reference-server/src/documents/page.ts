import { documentFile, type DocumentFile } from './file.ts'

/** Enough for libraries that bring the rest. */
export const baseStyle = `html { box-sizing: border-box }
*, ::before, ::after { box-sizing: inherit }
body { margin: 0 }
`

export interface PageOptions {
  /** Below `/api`. */
  readonly path: string
  readonly title: string
  readonly styles: readonly DocumentFile[]
  /** In the order that they run in. */
  readonly scripts: readonly DocumentFile[]
  /** What the page may do beside its scripts, stylesheets and requests to this server. */
  readonly policy?: { readonly style?: readonly string[]; readonly worker?: readonly string[] }
}

/**
 * A page with one element, `#api`, for its scripts to fill.
 *
 * Links are relative, so that the page also works behind a proxy that adds a prefix. Nothing inline runs, and nothing
 * is loaded from elsewhere: the policy would not let it.
 */
export function pageOf({ path, title, styles, scripts, policy = {} }: PageOptions): DocumentFile {
  const directory = path.slice(0, path.lastIndexOf('/') + 1)
  const relative = (file: DocumentFile) => file.path.slice(directory.length)
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    // Without an icon of their own, browsers ask for /favicon.ico.
    '<link rel="icon" href="data:,">',
    ...styles.map((file) => `<link rel="stylesheet" href="${relative(file)}">`),
    ...scripts.map((file) => `<script src="${relative(file)}" defer></script>`),
    '<div id="api"></div>',
    '<noscript>This page needs JavaScript. What it shows is at <a href="openapi.json">openapi.json</a>.</noscript>',
    '</html>',
    '',
  ].join('\n')
  return documentFile(path, 'text/html; charset=utf-8', html, {
    'Content-Security-Policy': contentSecurityPolicy(policy),
  })
}

function contentSecurityPolicy({
  style = [],
  worker = ["'none'"],
}: NonNullable<PageOptions['policy']>): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...style].join(' '),
    "connect-src 'self'",
    "img-src 'self' data:",
    ['worker-src', ...worker].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
