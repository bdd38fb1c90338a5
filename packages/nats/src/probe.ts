import { connect } from 'node:net'

/**
 * Rejects when none of a server's addresses says anything in time, although one takes a connection, or seems to. The
 * client library gives up waiting for that too, but leaves its socket open: it is to be asked again only where somebody
 * speaks. What else can be wrong with a server is left for the library to say.
 */
export async function awaitFirstWord(
  addresses: readonly string[],
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const over = Promise.withResolvers<undefined>()
  const end = () => {
    over.resolve(undefined)
  }
  const stop = () => {
    over.reject(signal.reason as Error)
  }
  let left = addresses.length
  const sockets = addresses.map((host) =>
    connect({ host, port })
      .on('data', end)
      .on('error', () => undefined)
      .on('close', () => {
        left -= 1
        if (left === 0) end()
      }),
  )
  const timer = setTimeout(() => {
    over.reject(new Error(`The server has said nothing for ${timeoutMs} ms`))
  }, timeoutMs)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    await over.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    for (const socket of sockets) socket.destroy()
  }
}
