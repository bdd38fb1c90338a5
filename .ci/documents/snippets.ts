import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parsePage } from './markdown.ts'
import { modules, pagesWithSnippets, root } from './pages.ts'

/** A `ts` block that a reader may copy. */
export interface Snippet {
  /** The folder that its imports are resolved from. */
  readonly folder: string
  readonly text: string
  /** The page or module that it stands in, from the top of the repository. */
  readonly path: string
  /** The line of its first line of code, from 1. */
  readonly line: number
}

/** Every `ts` block of the pages and of the docstrings. */
export function snippets(): readonly Snippet[] {
  return [...pagesWithSnippets().flatMap(ofPage), ...modules().flatMap(ofDocstrings)]
}

const isTypeScript = ({ language }: { readonly language: string }): boolean =>
  /^(ts|typescript)$/.test(language)

function ofPage(path: string): readonly Snippet[] {
  return parsePage(readFileSync(join(root, path), 'utf8'))
    .blocks.filter(isTypeScript)
    .map(({ text, line }) => ({ folder: dirname(path), path, text, line }))
}

function ofDocstrings(path: string): readonly Snippet[] {
  const source = readFileSync(join(root, path), 'utf8')
  if (!source.includes('```')) return []
  return [...source.matchAll(/\/\*\*.*?\*\//gs)].flatMap(({ 0: comment, index }) => {
    const before = source.slice(0, index).split('\n').length - 1
    const markdown = comment.replaceAll(/^[ \t]*\*(?!\/) ?/gm, '')
    return parsePage(markdown)
      .blocks.filter(isTypeScript)
      .map(({ text, line }) => ({ folder: dirname(path), path, text, line: before + line }))
  })
}
