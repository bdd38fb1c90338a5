// Measures one benchmark in a process of its own, with a heap and compiled code that no other has shaped.
import { readCatalogue } from './catalogue.ts'
import type { Effort } from './benchmark.ts'
import { resultOf } from './result.ts'

// Nobody is left to tell.
process.once('disconnect', () => {
  process.exit(1)
})

process.once('message', (task: { id: string; effort: Effort }) => {
  void measure(task)
})

async function measure({ id, effort }: { id: string; effort: Effort }): Promise<void> {
  let answer
  try {
    const entry = (await readCatalogue()).find((candidate) => candidate.id === id)
    if (entry === undefined) throw new TypeError(`There is no benchmark ${id}`)
    answer = { result: resultOf(entry.benchmark, await entry.benchmark.measure(effort)) }
  } catch (error) {
    answer = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  process.send?.(answer, () => {
    process.exit(0)
  })
}
