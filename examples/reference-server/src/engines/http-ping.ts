export interface OriginPingOptions {
  /** How long an answer is good for, in milliseconds: anybody may ask whether the server is ready. @default 10,000 */
  readonly everyMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * A function that rejects when nothing answers at an address. Any answer will do, and only the origin is asked, so that no
 * key goes anywhere for it. The message of what it rejects with has no address.
 */
export function originPing(
  url: string,
  { everyMs = 10_000, now = Date.now }: OriginPingOptions = {},
): () => Promise<void> {
  const { origin } = new URL(url)
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined
  return () => {
    if (last === undefined || now() - last.at >= everyMs) last = { at: now(), answer: ask(origin) }
    return last.answer
  }
}

async function ask(origin: string): Promise<void> {
  try {
    await fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(2000) })
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: unknown }
    throw new Error(`No answer over HTTP${typeof code === 'string' ? `: ${code}` : ''}`)
  }
}
