/**
 * Resolves after the time, when the signal is aborted, or when the function that `early` receives is called. The timer
 * does not keep the process alive.
 */
export function pause(
  milliseconds: number,
  signal: AbortSignal,
  early?: (end: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds).unref()
    signal.addEventListener('abort', end)
    early?.(end)
    if (signal.aborted) end()
  })
}
