import { createDestinations, type Destinations } from '../destinations/destinations.ts'
import { createDestinationCounter } from '../destinations/counter.ts'
import { createFanOut, type FanOut } from '../destinations/fan-out.ts'
import type { ManagedDestinations } from '../destinations/managed.ts'
import { isOpened } from '../destinations/unopened.ts'
import { createMemoryDestinationStore } from '../destinations/memory-store.ts'
import { createDestinationOperations, type DestinationOperations } from '../destinations/operations.ts'
import type { Destination, DestinationSource } from '../ports/destination.ts'
import type { Core } from './core.ts'
import { hasMethod } from './has-method.ts'
import type { AnyOptions } from './options.ts'

/** The destinations of `createWebhooks`. */
interface OpenedDestinations {
  readonly runner: Destinations
  readonly fanOut: FanOut
  readonly operations: DestinationOperations
  readonly managed: ManagedDestinations | undefined
}

/** Opens the destinations of an option. @throws TypeError as `createDestinations` */
export function openDestinations(
  options: AnyOptions,
  { database, inbox, telemetry, onError: reportError }: Core,
): OpenedDestinations | undefined {
  const { providers, on = {}, publisher, handlers, dispatcher = {} } = options
  if (options.destinations === undefined) return undefined
  const source = toSource(options.destinations)
  const list = () => source.list()
  const listOpened = () => list().filter(isOpened)
  const managed = isManaged(source) ? source : undefined
  const store = database.destinations?.() ?? createMemoryDestinationStore()
  const onError = (error: unknown) => reportError(error, 'destinations')
  const counter = createDestinationCounter(store, onError)
  const { now, monotonicNow, random } = dispatcher
  const runner = createDestinations({
    ...{ destinations: listOpened(), canChange: source === options.destinations },
    ...{ inbox, providers, store, counter, onError, now, monotonicNow, random },
  })
  source.onChange(() => {
    try {
      runner.set(listOpened())
    } catch (error) {
      onError(error)
    }
  })
  const handlesAll = publisher !== undefined || handlers?.unhandled === 'refuse'
  return {
    runner,
    fanOut: createFanOut({
      ...{ destinations: list, onError },
      onFiltered: (name, event) => {
        counter.filtered(name)
        telemetry?.onFiltered(name, event)
      },
      isHandled: ({ name }) => handlesAll || Object.hasOwn(on, name),
    }),
    operations: createDestinationOperations({
      ...{ destinations: listOpened, opened: runner, store, inbox },
      managed: () => managed?.names() ?? [],
    }),
    managed,
  }
}

const toSource = (given: readonly Destination[] | DestinationSource): DestinationSource =>
  'list' in given ? given : { list: () => given, onChange: () => undefined }

const isManaged = (source: DestinationSource): source is ManagedDestinations =>
  ['get', 'create', 'update', 'delete', 'addSecret', 'names'].every((name) => hasMethod(source, name))
