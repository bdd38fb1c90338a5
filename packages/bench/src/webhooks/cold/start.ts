/** The start of a process, and its answers. */
export interface Start {
  /** Milliseconds until the code is imported. */
  readonly readyMs: number
  /** Milliseconds from the start of the process to the first answer. */
  readonly answeredMs: number
  /** The statuses of the answers. */
  readonly statuses: readonly number[]
}
