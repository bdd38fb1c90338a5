import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pages, root } from './pages.ts'

const sections: readonly (readonly [title: string, paths: RegExp])[] = [
  ['Start', /^(?:README|docs\/getting-started)\.md$/],
  ['Packages', /^packages\/(?!bench)[^/]+\/README\.md$/],
  ['Guides', /^docs\/guides\//],
  ['Concepts', /^docs\/(?:concepts\/.+|architecture)\.md$/],
  ['Reference', /^docs\/(?:configuration|deploy|runtimes|scaling|reference\/(?!providers\/).+)\.md$/],
]

/** Returns the index of the pages for coding assistants: https://llmstxt.org. */
export function llmsPage(): string {
  const all = pages()
  const listed = sections.flatMap(([title, paths]) => [
    `## ${title}\n`,
    ...all.filter((path) => paths.test(path)).map(describe),
    '',
  ])
  return [
    '# Sallyport\n',
    '> Receive webhooks that you can trust, and build REST APIs, in TypeScript for Node.js.\n',
    ...listed,
  ].join('\n')
}

/** Describes a page by its title and the first sentence of its text. */
function describe(path: string): string {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const title = lines.find((line) => line.startsWith('# '))?.slice(2) ?? path
  const first = lines.findIndex((line) => /^[A-Z`[]/.test(line))
  const end = lines.indexOf('', first)
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(lines.slice(first, end).join(' ')) ?? []
  const text = sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/:$/, '.')
  return `- [${title}](${relative('docs', path)}): ${text}`
}
