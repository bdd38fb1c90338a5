/** What was opened so far, and how it is closed: the last first. */
export interface Closers {
  readonly add: (close: () => unknown) => void
  readonly close: () => Promise<void>
}

export function createClosers(): Closers {
  const closers: (() => unknown)[] = []
  return {
    add: (close) => closers.push(close),
    async close() {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
    },
  }
}
