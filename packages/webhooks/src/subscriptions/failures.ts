const retry = { firstMs: 30_000, mostMs: 3_600_000 }
/** The longest pause that a service can ask for. */
const longestMs = 86_400_000

/** Returns the pause after a failed visit: it doubles up to an hour, with jitter, and is at least what the service asks for. */
export function planRetry(failures: number, error: unknown, random: () => number): number {
  const { retryAfterMs } = Object(error) as { readonly retryAfterMs?: unknown }
  const asked = typeof retryAfterMs === 'number' && retryAfterMs > 0 ? Math.min(retryAfterMs, longestMs) : 0
  const doubled = Math.min(retry.mostMs, retry.firstMs * 2 ** Math.min(failures - 1, 20))
  return Math.round(Math.max(asked, doubled * (1 - random() / 2)))
}
