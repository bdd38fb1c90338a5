/** Runs a step after this turn of the event loop, or earlier in a runtime without `setImmediate`. */
export function soon(step: () => void): void {
  if ('setImmediate' in globalThis) setImmediate(step)
  else queueMicrotask(step)
}
