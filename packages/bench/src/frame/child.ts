// Measures one benchmark in a separate process, with a fresh heap and no compiled code of other benchmarks.
import { readCatalogue } from './catalogue.ts'
import type { Effort } from './benchmark.ts'
import { computeResult } from './result.ts'

// The parent process has ended.
process.once('disconnect', () => {
  process.exit(1)
})

process.once('message', (task: { id: string; effort: Effort }) => {
  void measure(task)
})

async function measure({ id, effort }: { id: string; effort: Effort }): Promise<void> {
  let message
  try {
    const entry = (await readCatalogue()).find((candidate) => candidate.id === id)
    if (entry === undefined) throw new TypeError(`There is no benchmark ${id}`)
    message = { result: computeResult(entry.benchmark, await entry.benchmark.measure(effort)) }
  } catch (error) {
    message = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  process.send?.(message, () => {
    process.exit(0)
  })
}
