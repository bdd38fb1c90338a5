import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hashETag } from '@sallyport/rest'

/** A static file. */
export interface DocumentFile {
  /** Below `/api`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string }
  readonly body: Uint8Array
}

/** Creates a file that clients revalidate with its ETag on each request. */
export function documentFile(
  path: string,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): DocumentFile {
  // A Buffer is shared by all connections; a string would be copied for each slow client.
  const body = Buffer.from(text)
  const caching = { 'Cache-Control': 'public, no-cache', ETag: hashETag(body) }
  return { path, headers: { 'Content-Type': contentType, ...caching, ...headers }, body }
}

const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

/** Creates an asset of a page. Its path contains a hash of its content, so that clients cache it forever. */
export function assetFile(
  folder: string,
  name: string,
  type: keyof typeof contentTypes,
  body: string,
): DocumentFile {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return documentFile(`${folder}/${name}.${digest}.${type}`, contentTypes[type], body, {
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}

/** Reads the file at a URL of `import.meta.resolve`. */
export function getText(url: string): string {
  return readFileSync(fileURLToPath(url), 'utf8')
}
