import { assetFile, textOf, type DocumentFile } from './file.ts'
import { baseStyle, pageOf } from './page.ts'

/**
 * Redoc at `/redoc`: the page, and the one bundle that it needs out of the package.
 *
 * @see https://redocly.com/docs/redoc/v2.x/config
 */
export function redocFiles(): readonly DocumentFile[] {
  const style = assetFile('/redoc', 'page', 'css', baseStyle)
  const bundle = assetFile(
    '/redoc',
    'redoc',
    'js',
    withoutLogo(textOf(import.meta.resolve('redoc/bundles/redoc.standalone.js'))),
  )
  const start = assetFile('/redoc', 'start', 'js', starter)
  const scripts = [bundle, start]
  const page = pageOf({
    path: '/redoc',
    title: 'Sallyport API',
    styles: [style],
    scripts,
    policy: { style: styleElements, worker: ['blob:'] },
  })
  return [page, style, ...scripts]
}

/**
 * The two style elements that the bundle inserts, by the hash of their text: the empty one, which styled-components
 * then fills through the CSSOM, and perfect-scrollbar's. Unlike 'unsafe-inline', they allow no other.
 */
const styleElements = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
]

/** The attribution stays; its picture would be loaded from another server, and has no option to turn it off. */
function withoutLogo(bundle: string): string {
  return bundle.replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
}

const starter = `Redoc.init('openapi.json', { sanitize: true }, document.getElementById('api'))
`
