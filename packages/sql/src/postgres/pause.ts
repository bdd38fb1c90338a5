/**
 * Resolves when the time is up, the signal is aborted, or what `early` was given is called. It keeps no process from
 * ending.
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
