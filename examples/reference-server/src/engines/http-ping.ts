export interface OriginPingOptions {
  /** How long a result is cached, in milliseconds: anyone may request `/ready`. @default 10,000 */
  readonly everyMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Creates a ping that rejects when no server answers at an address. Every response counts. Only the origin is requested, so
 * that no key is sent. The message of the error has no address.
 */
export function createOriginPing(
  url: string,
  { everyMs = 10_000, now = Date.now }: OriginPingOptions = {},
): () => Promise<void> {
  const { origin } = new URL(url)
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined
  return () => {
    if (last === undefined || now() - last.at >= everyMs) last = { at: now(), answer: requestHead(origin) }
    return last.answer
  }
}

async function requestHead(origin: string): Promise<void> {
  try {
    await fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(2000) })
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
    throw new Error(`No answer over HTTP${typeof code === 'string' ? `: ${code}` : ''}`)
  }
}
