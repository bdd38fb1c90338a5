/** Waits for a step until its time is up or it is told to stop; what has ended by then counts. */
export async function untilEnded(
  signal: AbortSignal,
  timeoutMs: number,
  step: (ended: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const late = new AbortController()
  const ended = AbortSignal.any([signal, late.signal])
  const timer = setTimeout(() => {
    late.abort(new DOMException('The bus did not answer in time', 'TimeoutError'))
  }, timeoutMs)
  const stopped = new Promise<void>((resolve) => {
    if (ended.aborted) resolve()
    ended.addEventListener('abort', () => {
      resolve()
    })
  })
  try {
    await Promise.race([step(ended), stopped])
  } finally {
    clearTimeout(timer)
  }
}
