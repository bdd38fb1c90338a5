import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import { getRoute, isPage, repository, root } from './pages.ts'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/** A comment, which GitHub does not show, in place of the field that filters the tables of providers. */
const providerFilter = /^<!-- ProviderFilter -->/

/**
 * Makes the relative links of the pages work in the site. Pages link to each other as on GitHub; a link to a file that
 * is no page, such as a program, becomes a link to the repository.
 */
export function linkPages(markdown: MarkdownIt): void {
  markdown.core.ruler.push('repository_links', (state) => {
    const env = state.env as { readonly realPath?: string; readonly path: string }
    const file = relative(root, env.realPath ?? env.path)
    for (const block of state.tokens) {
      if (block.type === 'html_block' && providerFilter.test(block.content))
        block.content = '<ProviderFilter />'
      for (const token of block.children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null
        if (href !== null) token.attrSet('href', resolveLink(file, href))
      }
    }
  })
}

/** Returns the address in the site, or in the repository, of a link on a page. */
function resolveLink(file: string, href: string): string {
  if (/^([a-z]+:|\/\/|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const target = relative(root, join(root, dirname(file), decodeURI(path))).replace(/\/$/, '')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const page = [target, `${target}/README.md`].find(
    (candidate) => isPage(candidate) && existsSync(join(root, candidate)),
  )
  if (page !== undefined) return getRoute(page) + hash
  // The build reports a link without a target as dead.
  if (!existsSync(join(root, target))) return href
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${target}${hash}`
}
