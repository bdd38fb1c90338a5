/** Runs something under a signal that is aborted when the time is up, or when the other signal is. */
export async function withDeadline<Value>(
  milliseconds: number,
  signal: AbortSignal,
  run: (stop: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController()
  const onAbort = () => {
    stop.abort(signal.reason)
  }
  const timer = setTimeout(() => {
    stop.abort(new DOMException('The time is up', 'TimeoutError'))
  }, milliseconds)
  signal.addEventListener('abort', onAbort)
  // Neither outlives what it is for: there are many of these in the time of one.
  try {
    return await run(stop.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
