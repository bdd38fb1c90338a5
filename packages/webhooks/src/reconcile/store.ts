/** A redelivery that the service was asked for, and that did not arrive yet. */
export interface AskedRedelivery {
  readonly id: string
  readonly ref: string
  /** How often, and when the last time. */
  readonly times: number
  readonly at: number
}

/** A run over a window. Times are in milliseconds since the epoch. */
export interface ReconcileRun {
  readonly id: string
  readonly since: number
  readonly until: number
  /** Where the run continues if it ends early. */
  readonly position: number
  readonly startedAt: number
  readonly finishedAt?: number
  /** Whether nothing was asked for or recorded. */
  readonly isDry: boolean
  /** The deliveries and events that the inbox did not have. */
  readonly missed: number
  /** The first 100 of their ids. */
  readonly ids: readonly string[]
  /** The events of `missed` that the run recorded. */
  readonly recovered: number
}

/** A run that an operator asked for. */
export interface RequestedRun {
  readonly id: string
  /** @default the end of the last window */
  readonly since?: number
  readonly isDry: boolean
}

/** The state of a source. */
export interface ReconcileState {
  /** The end of the checked time. */
  readonly cursor?: number
  /** How many deliveries and events were recovered so far. */
  readonly recovered: number
  /** How many redeliveries failed too often. */
  readonly abandoned: number
  /** When the last one was abandoned, in milliseconds since the epoch. */
  readonly abandonedAt?: number
  readonly asked: readonly AskedRedelivery[]
  /** The run that did not end. */
  readonly open?: ReconcileRun
  readonly last?: ReconcileRun
  /** The code of the error of the last run; absent after a success. */
  readonly error?: string
  readonly failingSince?: number
}

/** A state under a lease. */
export interface ClaimedReconciliation {
  readonly state: ReconcileState
  readonly requested?: RequestedRun
}

/** A row of a source. */
export interface StoredReconciliation extends ClaimedReconciliation {
  readonly name: string
  /** The time until the next run in milliseconds, by the clock of the store; at most 0 for a source that is due. */
  readonly dueMs: number
}

/** The lease of a source: a token, and how long it lasts from now on, in milliseconds. */
interface ReconcileLease {
  readonly token: string
  readonly leaseMs: number
}

/** The states of sources, which processes share. */
export interface ReconciliationStore {
  /** Lists the sources that ran or were asked to. */
  list(): Promise<readonly StoredReconciliation[]>
  /** Leases a source that is due or requested; undefined for another one, and while another process has its lease. */
  claim(name: string, lease: ReconcileLease): Promise<ClaimedReconciliation | undefined>
  /** Stores the state and extends the lease. False if the lease is lost. */
  save(name: string, lease: ReconcileLease, state: ReconcileState): Promise<boolean>
  /**
   * Stores the state, ends the lease and plans the next run in `dueMs` milliseconds. `requested` is the request that is done; another one stays. False if
   * the lease is lost.
   */
  finish(
    name: string,
    token: string,
    end: {
      readonly state: ReconcileState
      readonly dueMs: number
      readonly requested?: RequestedRun | undefined
    },
  ): Promise<boolean>
  /** Asks for a run, in place of an earlier request. */
  request(name: string, run: RequestedRun): Promise<void>
}

export const emptyState: ReconcileState = { recovered: 0, abandoned: 0, asked: [] }

interface Row {
  readonly state: ReconcileState
  readonly dueAt: number
  readonly requested?: RequestedRun | undefined
  readonly lease?: { readonly token: string; readonly endsAt: number } | undefined
}

/**
 * Creates a store in the memory of the process.
 *
 * @param now milliseconds since the epoch. @default Date.now
 */
export function createMemoryReconciliationStore(now: () => number = Date.now): ReconciliationStore {
  const rows = new Map<string, Row>()
  const get = (name: string): Row => rows.get(name) ?? { state: emptyState, dueAt: 0 }
  const toPublic = ({ state, requested }: Row) => ({ state, ...(requested && { requested }) })
  const isHeld = (name: string, token: string) => get(name).lease?.token === token
  return {
    list: () =>
      Promise.resolve([...rows].map(([name, row]) => ({ name, dueMs: row.dueAt - now(), ...toPublic(row) }))),
    claim(name, { token, leaseMs }) {
      const row = get(name)
      const isFree = row.lease === undefined || row.lease.endsAt <= now()
      if (!isFree || (row.dueAt > now() && !row.requested)) return Promise.resolve(undefined)
      rows.set(name, { ...row, lease: { token, endsAt: now() + leaseMs } })
      return Promise.resolve(toPublic(row))
    },
    save(name, { token, leaseMs }, state) {
      if (!isHeld(name, token)) return Promise.resolve(false)
      rows.set(name, { ...get(name), state, lease: { token, endsAt: now() + leaseMs } })
      return Promise.resolve(true)
    },
    finish(name, token, { state, dueMs, requested: done }) {
      if (!isHeld(name, token)) return Promise.resolve(false)
      const { requested } = get(name)
      const left = requested?.id === done?.id ? undefined : requested
      rows.set(name, { state, dueAt: now() + dueMs, requested: left })
      return Promise.resolve(true)
    },
    request(name, requested) {
      rows.set(name, { ...get(name), requested })
      return Promise.resolve()
    },
  }
}
