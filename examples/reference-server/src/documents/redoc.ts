import { assetFile, getText, type DocumentFile } from './file.ts'
import { baseStyle, createPage } from './page.ts'

/**
 * Creates the page `/redoc` of Redoc with its bundle.
 *
 * @see https://redocly.com/docs/redoc/v2.x/config
 */
export function redocFiles(): readonly DocumentFile[] {
  const style = assetFile('/redoc', 'page', 'css', baseStyle)
  const bundle = assetFile(
    '/redoc',
    'redoc',
    'js',
    withoutLogo(getText(import.meta.resolve('redoc/bundles/redoc.standalone.js'))),
  )
  const start = assetFile('/redoc', 'start', 'js', starter)
  const scripts = [bundle, start]
  const page = createPage({
    path: '/redoc',
    title: 'Sallyport API',
    styles: [style],
    scripts,
    policy: { style: styleElements, worker: ['blob:'] },
  })
  return [page, style, ...scripts]
}

/**
 * The hashes of the two style elements that the bundle inserts: an empty one, which styled-components fills through the
 * CSSOM, and that of perfect-scrollbar.
 */
const styleElements = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
]

/** Removes the logo of the attribution, which would be loaded from another server; no option disables it. */
function withoutLogo(bundle: string): string {
  return bundle.replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
}

const starter = `Redoc.init('openapi.json', { sanitize: true }, document.getElementById('api'))
`
