import type { Redis as Client } from 'ioredis'

type Stream = Client['stream']

/** Two checks, because a process that was paused may have unread responses at the first one. */
const maxSilentChecks = 2

/**
 * Starts a watchdog that ends a connection if a response is due and no byte moves for two to three intervals. The client
 * then reconnects. Without a watchdog, a connection that is lost silently would never end.
 *
 * The watchdog does not end an idle connection or one that is still sending. After a long send, it waits for the
 * duration of the send once more, because the operating system still sends buffered bytes.
 *
 * `socketTimeout` of ioredis is not enough: its timer outlives the connection and ends the next one.
 *
 * @returns a function that stops the watchdog
 */
export function startWatchdog(client: Client, intervalMs: number): () => void {
  let last: Snapshot | undefined
  let silentChecks = 0
  const timer = setInterval(() => {
    // The client has no stream before the first attempt to connect.
    const stream = client.stream as Stream | undefined
    const snapshot = stream && takeSnapshot(stream)
    // While the client connects, its queue still has commands of the previous connection.
    const isResponseDue =
      (client.status === 'connect' || client.status === 'ready') && client.commandQueue.length > 0
    if (snapshot === undefined || snapshot.stream !== last?.stream || !isResponseDue) silentChecks = 0
    else if (last.isSending && snapshot.sent !== last.sent) silentChecks = Math.min(silentChecks, 0) - 1
    else if (snapshot.received !== last.received) silentChecks = Math.min(silentChecks, 0)
    else silentChecks += 1
    last = snapshot
    if (silentChecks === maxSilentChecks)
      stream?.destroy(new Error(`No response for ${maxSilentChecks * intervalMs} ms`))
  }, intervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}

interface Snapshot {
  readonly stream: Stream
  readonly received: number
  /** Bytes that the operating system has taken. New commands do not count while earlier bytes wait. */
  readonly sent: number
  readonly isSending: boolean
}

function takeSnapshot(stream: Stream): Snapshot {
  // bytesWritten counts a whole write at once, so the unsent rest of the current write is subtracted.
  const { _handle: handle } = stream as { readonly _handle?: { readonly writeQueueSize?: number } | null }
  const { bytesRead, bytesWritten, writableLength } = stream
  const sent = bytesWritten - writableLength - (handle?.writeQueueSize ?? 0)
  return { stream, received: bytesRead, sent, isSending: writableLength > 0 }
}
