import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from 'vitepress'
import { root, summarizePage } from './pages.ts'

/**
 * Writes `llms.txt`, an index of the pages for language models, and `llms-full.txt`, the pages themselves without those
 * of the providers and decisions.
 *
 * @see https://llmstxt.org
 */
export function writeLlmsTexts({ pages, outDir, rewrites, site }: SiteConfig): void {
  const entries = pages
    .map((file) => ({ file, path: rewrites.map[file] ?? file, ...summarizePage(file) }))
    .sort((a, b) => a.path.localeCompare(b.path))
  const list = entries.map(({ path, title, description }) => {
    const address = site.base + path.replace(/\.md$/, '.html')
    return `- [${title}](${address})${description === '' ? '' : `: ${description}`}`
  })
  writeFileSync(
    join(outDir, 'llms.txt'),
    [`# ${site.title}`, '', `> ${site.description}`, '', '## Pages', '', ...list, ''].join('\n'),
  )
  const full = entries
    .filter(({ path }) => !/^(reference\/providers|decisions)\//.test(path))
    .map(({ file }) => readFileSync(join(root, file), 'utf8'))
  writeFileSync(join(outDir, 'llms-full.txt'), full.join('\n\n'))
}
