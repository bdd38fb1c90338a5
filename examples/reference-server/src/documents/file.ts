import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hashETag } from '@sallyport/rest'
import type { SentResponse } from '../http/response.ts'

/** Something that is served as it is. */
export interface DocumentFile {
  /** Below `/api`. */
  readonly path: string
  readonly response: SentResponse
  /** Whether `Accept` has to allow JSON. */
  readonly json?: boolean
}

/** A file that may change while its path stays: asked for again each time, and sent only when it has changed. */
export function documentFile(
  path: string,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): DocumentFile {
  // Of a text, each connection whose client reads slowly would hold a copy: a megabyte of the larger scripts.
  const body = Buffer.from(text)
  const caching = { 'Cache-Control': 'public, no-cache', ETag: hashETag(body) }
  return {
    path,
    response: { status: 200, headers: { 'Content-Type': contentType, ...caching, ...headers }, body },
  }
}

const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

/** A part of a page, such as a script: its path names its content, so that it is fetched once and never again. */
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

/** The text of a module's file, by the URL that `import.meta.resolve` found. */
export function textOf(url: string): string {
  return readFileSync(fileURLToPath(url), 'utf8')
}
