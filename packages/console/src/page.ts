/** The settings that the page reads from its `meta` element. All addresses are relative to the console. */
export interface PageSettings {
  /** The address of the operations API. */
  readonly api: string
  /** The address of the OpenAPI document of the API. */
  readonly document: string
  /** The address where operators log in. */
  readonly login: LoginSettings
}

/** How operators log in: by a form that creates a session, at a page of the host, or not at all. */
export type LoginSettings =
  | {
      readonly kind: 'sessions'
      readonly address: string
      /** Where a login elsewhere begins, and what it is called. */
      readonly singleSignOn?: { readonly address: string; readonly name: string }
      /** Whether the form is open. */
      readonly arePasswordsUsual: boolean
    }
  | { readonly kind: 'page'; readonly address: string }
  | { readonly kind: 'none' }

/**
 * The policy of the page. All code and styles are files of the console, no code is created from text, and the page sends
 * requests to its own origin only.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'private, no-cache',
} as const

const placeholder = '<meta name="sallyport-console" content="" />'

/**
 * Adds the settings and the base address to the built page.
 *
 * @param base the way from the page to the console, such as `../` for `/deliveries/7`
 */
export function renderPage(html: string, base: string, settings: PageSettings): string {
  const values = escapeAttribute(JSON.stringify(settings))
  const head = `<base href="${escapeAttribute(base)}" />\n    <meta name="sallyport-console" content="${values}" />`
  if (!html.includes(placeholder)) throw new TypeError('The built page has no element for its settings')
  return html.replace(placeholder, () => head)
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
