import { markup } from '../openapi/html.ts'
import { createAsset, createFile, readText, type StaticFile } from './file.ts'

/**
 * Creates the page `/docs` of Swagger UI with its assets.
 *
 * @see https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/
 */
export function createSwaggerUi(title: string): readonly StaticFile[] {
  const path = '/docs'
  const options = {
    ...{ dom_id: '#api', url: 'openapi.json', deepLinking: true, displayOperationId: true },
    // Disables the public validator, which would fetch the document.
    validatorUrl: null,
  }
  const style = readText(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))
  const bundle = readText(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))
  return createPage(path, title, {
    styles: [createAsset(path, 'page', 'css', baseStyle), createAsset(path, 'swagger-ui', 'css', style)],
    scripts: [
      createAsset(path, 'swagger-ui-bundle', 'js', bundle),
      createAsset(path, 'start', 'js', `SwaggerUIBundle(${JSON.stringify(options, null, 2)})\n`),
    ],
    policy: { style: [], worker: ["'none'"] },
  })
}

/**
 * Creates the page `/redoc` of Redoc with its bundle.
 *
 * @see https://redocly.com/docs/redoc/v2.x/config
 */
export function createRedoc(title: string): readonly StaticFile[] {
  const path = '/redoc'
  const start = "Redoc.init('openapi.json', { sanitize: true }, document.getElementById('api'))\n"
  // The logo of the attribution would be loaded from another server; no option disables it.
  const bundle = readText(import.meta.resolve('redoc/bundles/redoc.standalone.js')).replaceAll(
    'https://cdn.redoc.ly/redoc/logo-mini.svg',
    'data:,',
  )
  return createPage(path, title, {
    styles: [createAsset(path, 'page', 'css', baseStyle)],
    scripts: [createAsset(path, 'redoc', 'js', bundle), createAsset(path, 'start', 'js', start)],
    policy: { style: styleElements, worker: ['blob:'] },
  })
}

/**
 * The hashes of the two style elements that the bundle of Redoc inserts: an empty one, which styled-components fills
 * through the CSSOM, and that of perfect-scrollbar.
 */
const styleElements = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
]

/** The base style of the pages; the libraries add their own. */
const baseStyle = `html { box-sizing: border-box }
*, ::before, ::after { box-sizing: inherit }
body { margin: 0 }
`

interface PageContent {
  readonly styles: readonly StaticFile[]
  /** In the order of their execution. */
  readonly scripts: readonly StaticFile[]
  /** Additional sources of the content security policy. */
  readonly policy: { readonly style: readonly string[]; readonly worker: readonly string[] }
}

/**
 * Creates a page with one element, `#api`, for its scripts. Links are relative, so that the page works behind a proxy that adds
 * a prefix. The policy forbids inline scripts and other origins.
 */
function createPage(
  path: string,
  title: string,
  { styles, scripts, policy }: PageContent,
): readonly StaticFile[] {
  const link = (file: StaticFile) => file.path.slice(1)
  const { html } = markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${icon}
${styles.map((file) => markup`<link rel="stylesheet" href="${link(file)}">\n`)}${scripts.map((file) => markup`<script src="${link(file)}" defer></script>\n`)}<div id="api"></div>
<noscript>This page needs JavaScript. The document is at <a href="openapi.json">openapi.json</a>.</noscript>
</html>
`
  const headers = {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      ["style-src 'self'", ...policy.style].join(' '),
      "connect-src 'self'",
      "img-src 'self' data:",
      ['worker-src', ...policy.worker].join(' '),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
  return [createFile(path, 'text/html; charset=utf-8', html, headers), ...styles, ...scripts]
}

/** Without an icon, browsers request /favicon.ico. */
const icon = { html: '<link rel="icon" href="data:,">' }
