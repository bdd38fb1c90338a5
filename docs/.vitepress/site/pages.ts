import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

export const repository = 'https://github.com/sallyport/sallyport'

/** Returns the path in the site of a file in the repository: `docs/README.md` is `index.md`. */
export function getSitePath(file: string): string {
  return file
    .replace(/^docs\//, '')
    .replace(/^(packages|examples)\/([^/]+)\/README\.md$/, '$1/$2.md')
    .replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Tells whether a file of the repository is a page of the site. */
export const isPage = (file: string): boolean =>
  /^docs\/.*\.md$|^(packages|examples)\/[^/]+\/README\.md$/.test(file)

/** Returns the address of a page in the site, without an extension. */
export const getRoute = (file: string): string =>
  `/${getSitePath(file)}`.replace(/\.md$/, '').replace(/\/index$/, '/')

export interface PageSummary {
  /** The text of the first heading. */
  readonly title: string
  /** The first paragraph as plain text; empty if the page has none. */
  readonly description: string
}

/** Reads the title and the first paragraph of a page. */
export function summarizePage(file: string): PageSummary {
  const [heading = '', ...rest] = readFileSync(join(root, file), 'utf8').split(/\n{2,}/)
  const paragraph = rest.find((block) => /^[A-Za-z*`[]/.test(block)) ?? ''
  return { title: toPlainText(heading.replace(/^# /, '')), description: toPlainText(paragraph) }
}

const toPlainText = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
