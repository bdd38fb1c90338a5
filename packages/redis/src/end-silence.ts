import type { Redis as Client } from 'ioredis'

type Stream = Client['stream']

/** More than one, as a process that stood still has its answers between two looks. */
const silentLooks = 2

/**
 * Ends a connection that owes an answer and says nothing for two to three of these times, so that a new one is made: a
 * connection that is lost without a word would be asked for ever. One that is not asked may be silent, and so may one
 * that is still sending, and as long again as it took: the system sends on what it has taken from this process.
 *
 * Not by `socketTimeout` of the client: its timer goes on when the connection has ended, and ends the next one; and BullMQ
 * opens connections with the same options, for reads that wait longer.
 *
 * @returns what ends the watch
 */
export function endSilence(client: Client, timeMs: number): () => void {
  let last: Look | undefined
  let silent = 0
  const timer = setInterval(() => {
    // There is none before the first attempt to connect.
    const stream = client.stream as Stream | undefined
    const look = stream && lookAt(stream)
    // What it is asked is still there from the one before, while a connection is made: that has a time of its own.
    const owes = (client.status === 'connect' || client.status === 'ready') && client.commandQueue.length > 0
    if (look === undefined || look.stream !== last?.stream || !owes) silent = 0
    else if (last.isSending && look.sent !== last.sent) silent = Math.min(silent, 0) - 1
    else if (look.heard !== last.heard) silent = Math.min(silent, 0)
    else silent += 1
    last = look
    if (silent === silentLooks) stream?.destroy(new Error(`No answer for ${silentLooks * timeMs} ms`))
  }, timeMs)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}

interface Look {
  readonly stream: Stream
  readonly heard: number
  /** What the system has taken: new commands add nothing to it while others wait to be sent. */
  readonly sent: number
  readonly isSending: boolean
}

function lookAt(stream: Stream): Look {
  // Node counts a write as a whole when it has ended, and the rest of one that is under way here alone.
  const { _handle: handle } = stream as { readonly _handle?: { readonly writeQueueSize?: number } | null }
  const { bytesRead, bytesWritten, writableLength } = stream
  const sent = bytesWritten - writableLength - (handle?.writeQueueSize ?? 0)
  return { stream, heard: bytesRead, sent, isSending: writableLength > 0 }
}
