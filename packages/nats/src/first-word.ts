import { connect } from 'node:net'

/**
 * Rejects when a server takes a connection, or seems to, and says nothing on it in time. The client library gives up
 * waiting for that too, but leaves its socket open: it is to be asked only where somebody speaks. What else can be wrong
 * with a server is left for the library to say.
 */
export async function awaitFirstWord(
  place: { readonly host: string; readonly port: number },
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
  const socket = connect(place).on('data', end).on('error', end).on('close', end)
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
    socket.destroy()
  }
}
