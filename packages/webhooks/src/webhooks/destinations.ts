import { createDestinations, type Destinations } from '../destinations/destinations.ts'
import { createFanOut, type FanOut } from '../destinations/fan-out.ts'
import { createDestinationOperations, type DestinationOperations } from '../destinations/operations.ts'
import { createMemoryDestinationStore } from '../destinations/store.ts'
import type { AnyProvider } from '../provider/provider.ts'
import type { WebhookDatabase, WebhookInbox } from './database.ts'
import type { WebhooksOptions } from './options.ts'
import type { ReportError } from './report.ts'

type Options = Pick<
  WebhooksOptions<readonly AnyProvider[]>,
  'destinations' | 'on' | 'publisher' | 'handlers' | 'dispatcher' | 'telemetry'
>

/** The destinations of `createWebhooks`. */
interface OpenedDestinations {
  readonly runner: Destinations
  readonly fanOut: FanOut
  readonly operations: DestinationOperations
}

/** Opens the destinations of an option. @throws TypeError as `createDestinations` */
export function openDestinations(
  options: Options,
  database: Pick<WebhookDatabase, 'destinations'>,
  inbox: WebhookInbox,
  reportError: ReportError,
): OpenedDestinations | undefined {
  const { destinations, on = {}, publisher, handlers, dispatcher = {} } = options
  if (destinations === undefined) return undefined
  const store = database.destinations?.() ?? createMemoryDestinationStore()
  const onError = (error: unknown) => reportError(error, 'destinations')
  const { now, monotonicNow, random } = dispatcher
  const runner = createDestinations({ destinations, inbox, store, onError, now, monotonicNow, random })
  const handlesAll = publisher !== undefined || handlers?.unhandled === 'refuse'
  return {
    runner,
    fanOut: createFanOut({
      ...{ destinations, onError, onFiltered: options.telemetry?.onFiltered },
      isHandled: ({ name }) => handlesAll || Object.hasOwn(on, name),
    }),
    operations: createDestinationOperations({ destinations, opened: runner, store, inbox }),
  }
}
