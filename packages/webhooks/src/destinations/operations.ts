import type { Destination } from '../ports/destination.ts'
import type { DestinationBacklog, OperatorInbox } from '../ports/ports.ts'
import type { Destinations } from './destinations.ts'
import type { DestinationState, DestinationStore } from './store.ts'

/** A destination in a list. */
export interface DestinationSummary extends DestinationState, DestinationBacklog {
  /**
   * `removed` for one that this process does not have, such as of earlier. `paused` by an operator or by the destination,
   * `unavailable` while the circuit breaker of a process is open, and for a stored one that cannot be opened.
   */
  readonly state: 'running' | 'paused' | 'unavailable' | 'removed'
  /** Whether operators created the destination. */
  readonly isManaged: boolean
  /** The destination as this process has it; undefined for a removed one, and for a stored one that cannot be opened. */
  readonly destination?: Destination
}

/** The states of destinations, and the changes that operators make. */
export interface DestinationOperations {
  /** Lists the destinations of this process, and removed ones with waiting events, by their names. */
  list(): Promise<readonly DestinationSummary[]>
  /** Stops the requests of all processes within seconds. Reports whether the destination was not paused before. */
  pause(name: string, reason?: string): Promise<boolean>
  /** Continues with the events that wait. Reports whether the destination was paused. */
  resume(name: string): Promise<boolean>
}

interface OperationsOptions {
  readonly destinations: () => readonly Destination[]
  /** Returns the names of the destinations that operators created. */
  readonly managed: () => readonly string[]
  readonly opened: Pick<Destinations, 'refresh'>
  readonly store: DestinationStore
  readonly inbox: Pick<Partial<OperatorInbox>, 'destinationBacklogs'>
}

/** How long after its next probe an open circuit breaker counts; its process has ended then. In milliseconds. */
const staleMs = 300_000

export function createDestinationOperations({
  destinations,
  managed,
  opened,
  store,
  inbox,
}: OperationsOptions): DestinationOperations {
  return {
    async list() {
      const [states, backlogs] = await Promise.all([store.list(), inbox.destinationBacklogs?.() ?? []])
      const byName = new Map<string, Found>()
      const created = new Set(managed())
      const add = (name: string, parts: Partial<Found>) =>
        byName.set(name, {
          events: 0,
          ...byName.get(name),
          ...parts,
          ...{ name, isManaged: created.has(name) },
        })
      for (const destination of destinations()) add(destination.name, { destination })
      for (const name of created) add(name, {})
      for (const state of states) add(state.name, state)
      for (const backlog of backlogs) add(backlog.name, backlog)
      return [...byName.values()]
        .filter(({ destination, isManaged, events }) => destination || isManaged || events > 0)
        .map(toSummary)
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    },
    async pause(name, reason) {
      const isChanged = await store.pause(name, reason)
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

type Found = Omit<DestinationSummary, 'state'>

function toSummary({ openedAt, probeAt, ...one }: Found): DestinationSummary {
  const isOpen = openedAt !== undefined && probeAt !== undefined && probeAt > Date.now() - staleMs
  return { ...one, ...(isOpen && { openedAt, probeAt }), state: toState(one, isOpen) }
}

function toState({ destination, isManaged, pausedAt }: Found, isOpen: boolean): DestinationSummary['state'] {
  if (destination === undefined) return isManaged ? 'unavailable' : 'removed'
  if (pausedAt !== undefined) return 'paused'
  return isOpen ? 'unavailable' : 'running'
}
