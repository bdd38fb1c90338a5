/** Waits no longer than the signal says; what is under way goes on. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const stop = () => {
    aborted.reject(signal.reason as Error)
  }
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
