import { soon } from './soon.ts'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** Collects the items of one turn of the event loop, and runs them together. */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result | undefined> {
  let waiting: Waiting<Item, Result>[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1)
        soon(() => {
          void flush()
        })
    })
}
