import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parsePage } from './markdown.ts'
import { modules, pages, root } from './pages.ts'

/** A `ts` block of a page or docstring. */
export interface Snippet {
  /** The folder for the resolution of imports. */
  readonly folder: string
  readonly text: string
  /** The page or module, relative to the root of the repository. */
  readonly path: string
  /** The number of its first line of code, from 1. */
  readonly line: number
}

/** Collects the `ts` blocks of all pages and docstrings. */
export function snippets(): readonly Snippet[] {
  return [...pages().flatMap(readPage), ...modules().flatMap(readDocstrings)]
}

const isTypeScript = ({ language }: { readonly language: string }): boolean =>
  /^(ts|typescript)$/.test(language)

function readPage(path: string): readonly Snippet[] {
  return parsePage(readFileSync(join(root, path), 'utf8'))
    .blocks.filter(isTypeScript)
    .map(({ text, line }) => ({ folder: dirname(path), path, text, line }))
}

function readDocstrings(path: string): readonly Snippet[] {
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
