import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { getRoute, isPage, root, summarizePage } from './pages.ts'

type Item = DefaultTheme.SidebarItem

/** Creates the navigation: the sections of docs/README.md, the packages and the examples; and a list of decisions. */
export function createSidebar(): DefaultTheme.SidebarMulti {
  return {
    '/decisions/': [
      { text: 'Documentation', link: '/' },
      { text: 'Decisions', items: listPages('docs/decisions/!(README).md') },
    ],
    '/': [
      { text: 'Getting started', link: '/getting-started' },
      ...readSections(),
      { text: 'Packages', collapsed: true, items: listPages('packages/*/README.md') },
      { text: 'Examples', collapsed: true, items: listPages('examples/*/README.md') },
    ],
  }
}

/** Reads the sections of docs/README.md and the pages that each section links to. */
function readSections(): readonly Item[] {
  const [, ...sections] = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m)
  return sections.map((section) => {
    const [text = ''] = section.split('\n')
    const links = [...section.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => join('docs', link))
    const files = [...new Set(links)].filter((file) => file.startsWith('docs/') && isPage(file))
    return { text, collapsed: false, items: files.map(toItem) }
  })
}

const listPages = (pattern: string): Item[] =>
  globSync(pattern, { cwd: root })
    .map(toItem)
    .sort((a, b) => (a.text ?? '').localeCompare(b.text ?? ''))

const toItem = (file: string): Item => ({
  text: summarizePage(file).title,
  link: getRoute(file),
})
