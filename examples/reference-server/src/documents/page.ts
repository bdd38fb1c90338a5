import { documentFile, type DocumentFile } from './file.ts'

/** The base style of the pages; the libraries add their own. */
export const baseStyle = `html { box-sizing: border-box }
*, ::before, ::after { box-sizing: inherit }
body { margin: 0 }
`

export interface PageOptions {
  /** Below `/api`. */
  readonly path: string
  readonly title: string
  readonly styles: readonly DocumentFile[]
  /** In the order of their execution. */
  readonly scripts: readonly DocumentFile[]
  /** Additional sources of the content security policy. */
  readonly policy?: { readonly style?: readonly string[]; readonly worker?: readonly string[] }
}

/**
 * Creates a page with one element, `#api`, for its scripts.
 * Links are relative, so that the page works with a proxy that adds a prefix. The policy forbids inline scripts and other
 * origins.
 */
export function createPage({ path, title, styles, scripts, policy = {} }: PageOptions): DocumentFile {
  const directory = path.slice(0, path.lastIndexOf('/') + 1)
  const relative = (file: DocumentFile) => file.path.slice(directory.length)
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    // Without an icon, browsers request /favicon.ico.
    '<link rel="icon" href="data:,">',
    ...styles.map((file) => `<link rel="stylesheet" href="${relative(file)}">`),
    ...scripts.map((file) => `<script src="${relative(file)}" defer></script>`),
    '<div id="api"></div>',
    '<noscript>This page needs JavaScript. The document is at <a href="openapi.json">openapi.json</a>.</noscript>',
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
