export interface ClientTimeouts {
  /** Timeout of one request to the server, such as the publication of a batch, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** Timeout of `close`, in milliseconds. @default 5,000 */
  readonly closeTimeoutMs?: number
}

export interface ConnectTimes {
  /** Timeout of one attempt to connect, in milliseconds. @default 5,000 */
  readonly connectTimeoutMs?: number
  /** Delay between two attempts to connect, in milliseconds. @default 1,000 */
  readonly retryMs?: number
}

export interface ClientHooks {
  /** Called once when the server is unavailable or refuses to work, at the start or later, and again for another reason. */
  readonly onUnavailable?: (error: unknown) => unknown
  /** Called when the server is available, for the first time or again. */
  readonly onAvailable?: () => unknown
}
