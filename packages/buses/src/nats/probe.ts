import { connect } from 'node:net'

/**
 * Waits until one of the addresses sends data. Rejects if an address accepts a connection but none sends data in time. In
 * that case the client library would time out too, but leak its socket. Other errors are left to the library: the probe
 * resolves if all connections fail.
 */
export async function probeServer(
  addresses: readonly { readonly host: string; readonly port: number }[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const outcome = Promise.withResolvers<undefined>()
  const finish = () => {
    outcome.resolve(undefined)
  }
  const onAbort = () => {
    outcome.reject(signal.reason as Error)
  }
  let remaining = addresses.length
  const sockets = addresses.map((address) =>
    connect(address)
      .on('data', finish)
      .on('error', () => undefined)
      .on('close', () => {
        remaining -= 1
        if (remaining === 0) finish()
      }),
  )
  const timer = setTimeout(() => {
    outcome.reject(new Error(`The server did not respond within ${timeoutMs} ms`))
  }, timeoutMs)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    await outcome.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    for (const socket of sockets) socket.destroy()
  }
}
