import type { Destination } from '../ports/destination.ts'
import type { DestinationBacklog, OperatorInbox } from '../ports/ports.ts'
import type { Destinations } from './destinations.ts'
import type { DestinationState, DestinationStore } from './store.ts'

/** A destination in a list. */
export interface DestinationSummary extends DestinationState, DestinationBacklog {
  /** `paused` by an operator or by the destination, `unavailable` while the circuit breaker of a process is open. */
  readonly state: 'running' | 'paused' | 'unavailable'
  /** The destination as this process has it; undefined for one of another process, or of earlier. */
  readonly destination?: Destination
}

/** What operators see and change of destinations. */
export interface DestinationOperations {
  /** Lists the destinations of this process, and others with waiting events or a state, by their names. */
  list(): Promise<readonly DestinationSummary[]>
  /** Stops the requests of all processes within seconds. Reports whether the destination was not paused before. */
  pause(name: string): Promise<boolean>
  /** Continues with the events that wait. Reports whether the destination was paused. */
  resume(name: string): Promise<boolean>
}

interface OperationsOptions {
  readonly destinations: readonly Destination[]
  readonly opened: Pick<Destinations, 'refresh'>
  readonly store: DestinationStore
  readonly inbox: Pick<Partial<OperatorInbox>, 'destinationBacklogs'>
}

/** How long after its next probe an open circuit breaker counts; its process has ended then. In milliseconds. */
const staleMs = 300_000

export function createDestinationOperations({
  destinations,
  opened,
  store,
  inbox,
}: OperationsOptions): DestinationOperations {
  return {
    async list() {
      const [states, backlogs] = await Promise.all([store.list(), inbox.destinationBacklogs?.() ?? []])
      const byName = new Map<string, { name: string; events: number } & Partial<DestinationSummary>>()
      const add = (name: string, parts: Partial<DestinationSummary>) =>
        byName.set(name, { events: 0, ...byName.get(name), ...parts, name })
      for (const destination of destinations) add(destination.name, { destination })
      for (const state of states) add(state.name, withoutStale(state))
      for (const backlog of backlogs) add(backlog.name, backlog)
      return [...byName.values()]
        .map((one): DestinationSummary => ({ ...one, state: toState(one) }))
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    },
    async pause(name) {
      const isChanged = await store.pause(name)
      await opened.refresh()
      return isChanged
    },
    async resume(name) {
      const isChanged = await store.resume(name)
      await opened.refresh()
      return isChanged
    },
  }
}

function withoutStale(state: DestinationState): DestinationState {
  const { openedAt: _, probeAt = 0, ...rest } = state
  return probeAt < Date.now() - staleMs ? rest : state
}

function toState({ pausedAt, openedAt }: Partial<DestinationState>): DestinationSummary['state'] {
  if (pausedAt !== undefined) return 'paused'
  return openedAt === undefined ? 'running' : 'unavailable'
}
