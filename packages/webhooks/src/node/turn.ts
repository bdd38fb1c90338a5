// Imported, as tests of servers replace the global one, and it would never come back.
import { setImmediate } from 'node:timers'

/** Each may have a chunk of its body in memory that nothing counts yet. */
const mostTogether = 128

interface Turn {
  readonly read: Promise<void>
  readonly end: () => void
  waiting: number
}

let turn: Turn | undefined

/**
 * Resolves once the event loop has read what this turn has brought, or 128 have come to wait for it.
 *
 * What is read together is handled together, and so answered in one go: whoever receives the answers is awake from the
 * first of them on. Whatever waits leaves its stream as it is until then.
 */
export function turnRead(): Promise<void> {
  const own = (turn ??= newTurn())
  own.waiting++
  if (own.waiting === mostTogether) own.end()
  return own.read
}

function newTurn(): Turn {
  let resolve: (() => void) | undefined
  const own: Turn = {
    read: new Promise((settle) => (resolve = settle)),
    waiting: 0,
    end() {
      if (turn === own) turn = undefined
      resolve?.()
    },
  }
  setImmediate(own.end)
  return own
}
