import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { hashETag } from '../conditional.ts'

interface Representation {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A static file. */
export interface StaticFile {
  readonly path: string
  readonly plain: Representation
  /** Compresses the file when a client first asks for it. */
  readonly gzip: () => Representation
}

/** Creates a file that clients revalidate with its ETag on each request. */
export function createFile(
  path: string,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): StaticFile {
  // A Buffer is shared by all connections; a string would be copied for each slow client.
  const body = Buffer.from(text)
  const etag = hashETag(body)
  const varying = {
    ...{ 'Content-Type': contentType, 'Cache-Control': 'public, no-cache', ETag: etag, ...headers },
    Vary: 'Accept-Encoding',
  }
  let gzip: Representation | undefined
  return {
    path,
    plain: { headers: varying, body },
    gzip: () =>
      (gzip ??= {
        // Each representation has its own ETag (RFC 9110, section 8.8.3).
        headers: { ...varying, 'Content-Encoding': 'gzip', ETag: etag.replace(/"$/, '-gzip"') },
        body: gzipSync(body),
      }),
  }
}

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

/** Creates an asset of a page. Its path contains a hash of its content, so that clients cache it forever. */
export function createAsset(page: string, name: string, type: keyof typeof contentTypes, body: string) {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 16)
  return createFile(`${page}/${name}.${digest}.${type}`, contentTypes[type], body, {
    'Cache-Control': 'public, max-age=31536000, immutable',
  })
}

/** Reads the file at a URL of `import.meta.resolve`. */
export const readText = (url: string): string => readFileSync(fileURLToPath(url), 'utf8')
