import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatPage } from '../../packages/bench/src/page/page.ts'
import { listTables } from '../../packages/bench/src/page/tables.ts'
import { readResults } from '../../packages/bench/src/results/results.ts'
import { root } from './pages.ts'

/** The pages with tables of benchmarks. */
const pages = ['docs/scaling.md', 'docs/guides/choose-an-engine.md', 'packages/rest/README.md']

const table = /(<!-- benchmark: (\S+) -->\n)[^]*?(<!-- end -->)/g

/** Renders the page of the benchmarks from their stored results. */
export const benchmarksPage = async (): Promise<string> => formatPage(await readResults())

/**
 * Renders the tables of benchmarks between `<!-- benchmark: NAME -->` and `<!-- end -->`, by page.
 *
 * @throws TypeError for a name without a table
 */
export async function pagesWithBenchmarks(): Promise<ReadonlyMap<string, string>> {
  const tables = listTables(await readResults())
  const render = (text: string) =>
    text.replace(table, (_, start: string, name: string, end: string) => {
      const rendered = tables.get(name)
      if (rendered === undefined) throw new TypeError(`There is no table of the benchmark ${name}`)
      return `${start}\n${rendered}\n\n${end}`
    })
  return new Map(pages.map((path) => [path, render(readFileSync(join(root, path), 'utf8'))]))
}
