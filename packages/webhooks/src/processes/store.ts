/** A service that a process needs, as the process sees it. */
export interface ProcessDependency {
  readonly name: string
  readonly kind: 'database' | 'bus' | 'bodies' | 'secrets'
  readonly status: 'ok' | 'unavailable'
  /** The code or the reason of the last failure, such as `ECONNREFUSED`, without secrets. */
  readonly code?: string
  /** A text for operators, without secrets. */
  readonly detail?: string
}

/** The dependencies of a process, and its texts for operators. */
export interface ProcessHealth {
  readonly dependencies: readonly ProcessDependency[]
  readonly notices: readonly string[]
  /** The notice that the clock of the machine is wrong. @default the clock is not known to be wrong */
  readonly wrongClock?: string | undefined
}

/** A heartbeat of a process. */
export interface ProcessReport extends ProcessHealth {
  /** Unique for each start. */
  readonly id: string
  /** Such as `gateway` and `dispatcher`. */
  readonly roles: readonly string[]
  readonly version: string | undefined
  readonly host: string
  readonly pid: number
  /** In milliseconds since the epoch, by the clock of the process. */
  readonly startedAt: number
}

/** The last heartbeat of a process. */
export interface ProcessState extends ProcessReport {
  /** When the heartbeat arrived, in milliseconds since the epoch. */
  readonly seenAt: number
  /** Whether the next heartbeat is overdue. */
  readonly isDead: boolean
}

/** Stores the last heartbeat of each process that shares the store. */
export interface ProcessStore {
  /**
   * Replaces the heartbeat of a process, and deletes those of processes that have been dead for ten minutes while another
   * one has their roles, or for a day.
   *
   * @param aliveForMs the process is dead after this time without another heartbeat, in milliseconds
   */
  readonly save: (report: ProcessReport, aliveForMs: number) => Promise<void>
  /** Lists all processes, by host and start. */
  readonly list: () => Promise<readonly ProcessState[]>
  /** Deletes the heartbeat of a process that stops. */
  readonly remove: (id: string) => Promise<void>
}

/** Returns the name of a process for operators, such as `worker-1:4711`. */
export const nameProcess = ({ host, pid }: Pick<ProcessReport, 'host' | 'pid'>): string => `${host}:${pid}`
