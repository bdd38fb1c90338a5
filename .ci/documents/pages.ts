import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const find = (...patterns: string[]): readonly string[] =>
  globSync(patterns, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) }).sort()

/** Lists all Markdown pages, relative to the root. Their `ts` blocks are compiled. */
export const pages = (): readonly string[] =>
  find('*.md', 'docs/**/*.md', 'packages/*/README.md', 'packages/bench/notes.md', 'examples/*/README.md')

/** Lists the modules whose docstrings are compiled. */
export const modules = (): readonly string[] =>
  find('packages/*/src/**/*.ts').filter((path) => !/\.test\.ts$|^packages\/bench\//.test(path))
