let turn: Promise<void> | undefined

/**
 * Resolves once the event loop has read what this turn has brought.
 *
 * What is read together is handled together, and so answered in one go: whoever receives the answers is awake from the first
 * of them on, where waking it for each would take longer than to hash a body of 20 KB.
 */
export function turnRead(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}
