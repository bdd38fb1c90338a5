/** Limits the bytes of the requests that destinations in original mode have in memory. */
export interface BodyBudget {
  /** Reads a body when there is room, and counts it until its use ends. Waits in turn. */
  hold<Read, Result>(read: () => Promise<Read>, use: (read: Read) => Promise<Result>): Promise<Result>
}

const getBytes = (read: unknown): number =>
  (read as { readonly body?: Uint8Array } | undefined)?.body?.length ?? 0

/** The size of a body is unknown before it is read. */
const mostReads = 10

/**
 * Creates a budget for all destinations of a process. One body larger than the budget is used alone.
 *
 * @param mostBytes the bytes beyond which no further body is read
 */
export function createBodyBudget(mostBytes: number): BodyBudget {
  const waiting: (() => void)[] = []
  let reads = 0
  let bytes = 0
  const hasRoom = () => reads < mostReads && bytes < mostBytes

  function goOn(): void {
    if (hasRoom()) waiting.shift()?.()
  }

  return {
    async hold(read, use) {
      if (!hasRoom() || waiting.length > 0)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      reads++
      let held = 0
      try {
        const found = await read().finally(() => reads--)
        held = getBytes(found)
        bytes += held
        goOn()
        return await use(found)
      } finally {
        bytes -= held
        goOn()
      }
    },
  }
}
