import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { acceptsGzip } from '@sallyport/internal/accept-encoding'
import { hashETag } from '@sallyport/rest'

/** A static file in both representations. */
export interface StaticFile {
  readonly headers: Readonly<Record<string, string>>
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
}

/** The built application: `static` beside the built module, or `dist/static` beside the sources. */
const folders = ['./static/', '../dist/static/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/** Returns the folder of the built application; undefined without a build. */
export const findApplication = (): string | undefined =>
  folders.find((folder) => existsSync(join(folder, 'index.html')) && existsSync(join(folder, 'assets')))

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads the files of the application by name. The names contain hashes of the contents. */
export function readAssets(folder: string): ReadonlyMap<string, StaticFile> {
  const assets = join(folder, 'assets')
  return new Map(
    readdirSync(assets).map((name) => {
      const body = readFileSync(join(assets, name))
      const caching = { 'Cache-Control': 'public, max-age=31536000, immutable' }
      return [name, createFile(body, contentTypes[extname(name)] ?? 'application/octet-stream', caching)]
    }),
  )
}

/** Creates a file that is compressed once. */
export function createFile(
  body: Uint8Array,
  contentType: string,
  headers: Readonly<Record<string, string>>,
): StaticFile {
  const common = {
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
    ETag: hashETag(body),
  }
  return { headers: { ...common, ...headers }, plain: body, gzip: gzipSync(body, { level: 9 }) }
}

/** Chooses the representation that an `Accept-Encoding` header allows. */
export function chooseRepresentation({ headers, plain, gzip }: StaticFile, acceptEncoding?: string) {
  if (!acceptsGzip(acceptEncoding)) return { headers, body: plain }
  // Each representation has its own ETag (RFC 9110, section 8.8.3).
  const ETag = headers['ETag']?.replace(/"$/, '-gzip"') ?? ''
  return { headers: { ...headers, ETag, 'Content-Encoding': 'gzip' }, body: gzip }
}
