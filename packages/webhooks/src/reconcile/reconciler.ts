import { createLoop } from '@sallyport/internal/background'
import { toCode } from '@sallyport/internal/last-outcome'
import { checkFunctions, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import { AskedEnough, createRun, type RunOptions } from './run.ts'
import type { ReconcileSource } from './source.ts'
import {
  emptyState,
  type ClaimedReconciliation,
  type ReconcileRun,
  type ReconcileState,
  type ReconciliationStore,
  type RequestedRun,
  type StoredReconciliation,
} from './store.ts'

export interface ReconcilerOptions extends Pick<RunOptions, 'inbox' | 'gateway'> {
  readonly store: ReconciliationStore
  readonly sources: readonly ReconcileSource[]
  /** The interval of runs in milliseconds. @default 900,000 */
  readonly everyMs?: number
  /** Called with errors of the store, and of sources by name. */
  readonly onError?: (name: string, error: unknown) => unknown
  /** How long another process waits for this one after a crash, in milliseconds. @default 60,000 */
  readonly leaseMs?: number
  /** The interval in which a process looks for due sources, in milliseconds. @default 2,000 */
  readonly pollMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** Creates unique ids. @default crypto.randomUUID */
  readonly newId?: () => string
}

/** A source with its state. */
export interface Reconciliation extends StoredReconciliation {
  readonly provider: string
  readonly endpoint?: string | undefined
  /** `redelivery`: the service sends again. `feed`: the events are read. */
  readonly mode: 'redelivery' | 'feed'
}

/** What operators see and change of sources. */
export interface ReconcileOperations {
  /** Lists the sources of this process by their names. */
  list(): Promise<readonly Reconciliation[]>
  /** Asks for a run, and returns its id; undefined for an unknown source. */
  request(name: string, run: Omit<RequestedRun, 'id'>): Promise<string | undefined>
}

/** The loop that runs sources. */
export interface Reconciler extends ReconcileOperations {
  /** Runs each due source once. Never rejects. */
  check(): Promise<void>
  start(): void
  /** Ends the running requests. Another process continues. */
  stop(): Promise<void>
}

/** An attempt appears in the list of a service some time after it began, and clocks differ. In milliseconds. */
const overlapMs = 120_000
/** How long after a request a redelivery is looked for, in milliseconds. */
const confirmMs = 30_000
const mostPauseMs = 3_600_000
/** A run that rate limits keep from its end for longer is a failure, in milliseconds. */
const mostLimitedMs = 86_400_000

/**
 * Creates a reconciler: it compares what services believe they could not deliver with the inbox, and recovers what is missing.
 *
 * The window of a run begins at the end of the last one, so that a run after an outage covers the outage. The first run of a
 * source only begins the first window. One process at a time runs a source, under a lease.
 *
 * @throws TypeError for a number that is out of range, a source without its functions, and two sources with one name
 */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { store, sources, inbox, gateway, onError, now = Date.now } = options
  const { newId = () => crypto.randomUUID() } = options
  const everyMs = timerOption('everyMs', options.everyMs ?? 900_000, 1000)
  const leaseMs = timerOption('leaseMs', options.leaseMs ?? 60_000)
  const pollMs = timerOption('pollMs', options.pollMs ?? 2000)
  checkSources(sources)
  const wakeUps = createWakeUps()
  const loop = createLoop(run, () => new Error('The process stops'))

  function begin({ state, requested }: ClaimedReconciliation): ReconcileRun {
    const at = now()
    if (state.open && !requested) return state.open
    const since = Math.min(requested?.since ?? (state.cursor ?? at) - overlapMs, at)
    return {
      ...{ id: requested?.id ?? newId(), since, until: at, position: since, startedAt: at },
      ...{ isDry: requested?.isDry ?? false, missed: 0, ids: [], recovered: 0 },
    }
  }

  /** Runs a source until its end, an error, or the loss of the lease. */
  async function runSource(source: ReconcileSource, claimed: ClaimedReconciliation, token: string) {
    const { name } = source
    const lost = new AbortController()
    const save = async (state: ReconcileState) => {
      if (await store.save(name, { token, leaseMs }, state)) return
      lost.abort(new Error('Another process has the source'))
      lost.signal.throwIfAborted()
    }
    const open = begin(claimed)
    const signal = AbortSignal.any([loop.signal, lost.signal])
    const parts = { source, inbox, gateway, retryMs: everyMs, now, newId, save, signal }
    const run = createRun(parts, claimed.state, open)
    const renewal = setInterval(() => {
      save(run.getState()).catch((error: unknown) => {
        if (!lost.signal.aborted) callHook(onError, name, error)
      })
    }, leaseMs / 3)
    let end: { readonly error?: unknown } = {}
    try {
      await run.confirm()
      await run.read()
    } catch (error) {
      end = { error }
    } finally {
      clearInterval(renewal)
    }
    if (lost.signal.aborted) return
    const { state, dueMs } = settle(claimed.state, run.getState(), end.error, signal)
    if (end.error !== undefined && state.error !== undefined) callHook(onError, name, end.error)
    await store.finish(name, token, { state, dueMs, requested: claimed.requested })
  }

  /** Returns the state after a run, and the time until the next one. */
  function settle(
    before: ReconcileState,
    after: ReconcileState,
    error: unknown,
    signal: AbortSignal,
  ): { readonly state: ReconcileState; readonly dueMs: number } {
    const at = now()
    const { failingSince } = after
    const state = withoutError(after)
    const hasAsked = state.asked.some((one) => !before.asked.includes(one))
    const soon = Math.min(confirmMs, everyMs)
    if (error === undefined) return { state: endRun(state, at), dueMs: hasAsked ? soon : everyMs }
    // The run continues from its stored position.
    if (error instanceof AskedEnough) {
      const hasProgress = hasAsked || state.recovered > before.recovered
      return { state, dueMs: hasProgress ? soon : everyMs }
    }
    if (signal.aborted) return { state: after, dueMs: 0 }
    const pauseMs = getPause(error)
    const dueMs = pauseMs === undefined ? everyMs : Math.min(pauseMs, mostPauseMs)
    const { startedAt = at } = after.open ?? {}
    if (pauseMs !== undefined && at - startedAt < mostLimitedMs) return { state, dueMs }
    const failing = { error: toCode(error), failingSince: failingSince ?? at }
    return { state: { ...state, ...failing }, dueMs }
  }

  /** A clock was ahead: the end of the checked time and the next run are in the future. */
  const isAhead = ({ state, requested }: StoredReconciliation) =>
    requested === undefined && (state.cursor ?? 0) > now() + overlapMs

  async function checkSource(source: ReconcileSource, row: StoredReconciliation | undefined): Promise<void> {
    const token = newId()
    try {
      if (row !== undefined && isAhead(row)) {
        const since = now() - everyMs - overlapMs
        await store.request(source.name, { id: newId(), since, isDry: false })
      }
      const claimed = await store.claim(source.name, { token, leaseMs })
      if (claimed !== undefined) await runSource(source, claimed, token)
    } catch (error) {
      callHook(onError, 'reconciliations', error)
    }
  }

  async function check(): Promise<void> {
    try {
      const rows = new Map((await store.list()).map((row) => [row.name, row]))
      await Promise.all(
        sources.map(async (source) => {
          const row = rows.get(source.name)
          const isDue = row === undefined || row.requested !== undefined || row.dueMs <= 0 || isAhead(row)
          if (isDue) await checkSource(source, row)
        }),
      )
    } catch (error) {
      callHook(onError, 'reconciliations', error)
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await check()
      await wakeUps.pause(pollMs, signal)
    }
  }

  return {
    check,
    start: loop.start,
    stop: loop.stop,
    async list() {
      const rows = new Map((await store.list()).map((row) => [row.name, row]))
      return sources
        .map(({ name, provider, endpoint, redeliver }): Reconciliation => {
          const row = rows.get(name) ?? { name, state: emptyState, dueMs: 0 }
          return { ...row, provider, endpoint, mode: redeliver ? 'redelivery' : 'feed' }
        })
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    },
    async request(name, run) {
      if (!sources.some((source) => source.name === name)) return undefined
      const id = newId()
      await store.request(name, { ...run, id })
      wakeUps.wake()
      return id
    },
  }
}

function withoutError(state: ReconcileState): ReconcileState {
  const { error, failingSince, ...rest } = state
  return error === undefined && failingSince === undefined ? state : rest
}

/** Ends the open run. A window that joins the checked time moves its end; another one leaves a gap before it. */
function endRun({ open, ...state }: ReconcileState, finishedAt: number): ReconcileState {
  if (open === undefined) return state
  const last = { ...open, finishedAt }
  const { cursor = open.until } = state
  return open.isDry || open.since > cursor ? { ...state, last } : { ...state, last, cursor: open.until }
}

function getPause(error: unknown): number | undefined {
  const { code, retryAfterMs } = Object(error) as {
    readonly code?: unknown
    readonly retryAfterMs?: unknown
  }
  if (typeof retryAfterMs !== 'number') return undefined
  return code === 'RATE_LIMITED' || code === 'HTTP_503' ? retryAfterMs : undefined
}

function checkSources(sources: readonly ReconcileSource[]): void {
  sources.forEach((source, index) => {
    checkFunctions(`sources[${index}]`, source, 'list')
    if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(source.name))
      throw new TypeError(`sources[${index}].name has lower-case letters, digits, _ and - only`)
  })
  if (new Set(sources.map(({ name }) => name)).size < sources.length)
    throw new TypeError('Two of the sources have the same name')
}
