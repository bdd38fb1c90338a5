import { createDispatcher, type Dispatcher } from '../dispatch/dispatcher.ts'
import { joinDispatchers } from '../dispatch/join.ts'
import type { Destinations } from '../destinations/destinations.ts'
import type { Publisher } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createUnitRunner } from '../run/runner.ts'
import type { WebhookInbox } from './database.ts'
import { callAll, instrumentNotifications } from './instrument.ts'
import type { RunnerDispatcherOptions, WebhooksOptions } from './options.ts'
import { printHandlerError, type ReportError } from './report.ts'

type Options = Pick<
  WebhooksOptions<readonly AnyProvider[]>,
  | 'providers'
  | 'on'
  | 'publisher'
  | 'handlers'
  | 'lane'
  | 'lanes'
  | 'onAttempt'
  | 'onHandlerError'
  | 'dispatcher'
  | 'telemetry'
>

/**
 * Opens the runner of the handlers, or the dispatcher of the publisher.
 *
 * @throws TypeError for both a publisher and handlers, for neither and no destinations, for options of the other one, for a
 * handler without its provider, and as `createRunner` and `createDispatcher`
 */
export function openDispatcher(
  options: Options,
  inbox: WebhookInbox,
  onError: ReportError,
  destinations?: Destinations,
): Dispatcher {
  const { on, publisher } = options
  if (on === undefined ? !publisher && !destinations : publisher !== undefined)
    throw new TypeError('Set either on or publisher')
  if (publisher === undefined) return openRunner(options, on ?? {}, inbox, onError, destinations)
  const publishing = openPublishing(options, publisher, inbox, onError)
  if (destinations === undefined) return publishing
  const hooks = shareHooks(options, onError)
  const { now, monotonicNow, random } = options.dispatcher ?? {}
  const runner = createUnitRunner({
    ...{ inbox, on: {}, destinations, lanesOnly: true },
    // The dispatcher of the bus notifies.
    ...(hooks.onAttempt && { onAttempt: hooks.onAttempt }),
    onError: hooks.onError,
    ...(now && { now }),
    ...(monotonicNow && { monotonicNow }),
    ...(random && { random }),
  })
  return joinDispatchers(publishing, runner)
}

function openRunner(
  options: Options,
  on: NonNullable<Options['on']>,
  inbox: WebhookInbox,
  onError: ReportError,
  destinations: Destinations | undefined,
): Dispatcher {
  checkNames(options.providers, on)
  checkLanes(options, inbox)
  const { onHandlerError = printHandlerError, telemetry, lanes: { onDead } = {} } = options
  return createUnitRunner({
    destinations,
    ...pickRunnerOptions(options.dispatcher),
    ...options.handlers,
    ...shareHooks(options, onError),
    ...(onDead && { onDead }),
    ...(telemetry && { runHandler: telemetry.runHandler }),
    ...{ inbox, on, onHandlerError },
  })
}

function openPublishing(
  options: Options,
  publisher: Publisher,
  inbox: WebhookInbox,
  onError: ReportError,
): Dispatcher {
  for (const name of ['handlers', 'lane', 'lanes', 'onHandlerError'] as const)
    if (options[name] !== undefined)
      throw new TypeError(`${name} needs handlers: set on instead of publisher`)
  return createDispatcher({
    ...options.dispatcher,
    ...shareHooks(options, onError),
    ...{ inbox, publisher: options.telemetry?.publisher(publisher) ?? publisher },
  })
}

function shareHooks(options: Options, onError: ReportError) {
  const { telemetry } = options
  const onAttempt = callAll(telemetry?.onAttempt, options.onAttempt)
  const notifications = instrumentNotifications(options.dispatcher?.notifications, telemetry)
  return {
    ...(notifications && { notifications }),
    ...(onAttempt && { onAttempt }),
    onError: (error: unknown) => onError(error, 'inbox'),
  }
}

/** A handler without its provider would never run. */
function checkNames(providers: readonly AnyProvider[], on: object): void {
  const known = new Set(providers.map(({ name }) => name))
  const unknown = Object.keys(on).find((name) => !known.has(name.split('/', 1)[0] as string))
  if (unknown !== undefined)
    throw new TypeError(`The handler of "${unknown}" has no provider: add the provider to providers`)
}

function checkLanes({ lane, lanes }: Options, inbox: WebhookInbox): void {
  if (lane === undefined && lanes !== undefined) throw new TypeError('lanes needs lane, which names them')
  if (lane !== undefined && inbox.claimLanes === undefined)
    throw new TypeError('lane needs an inbox with lanes: claimLanes, settleLanes and renew')
  if (lanes?.onDead === 'pause' && lanes.ordered === false)
    throw new TypeError("lanes.onDead 'pause' needs ordered lanes")
}

const runnerOptions: Readonly<Record<keyof RunnerDispatcherOptions, true>> = {
  ...{ notifications: true, leaseMs: true, pollMs: true },
  ...{ now: true, monotonicNow: true, random: true },
}

/** @throws TypeError for an option that only a publisher has: it would have no effect on handlers */
function pickRunnerOptions(options: Options['dispatcher'] = {}): RunnerDispatcherOptions {
  const other = Object.keys(options).find((name) => !(name in runnerOptions))
  if (other !== undefined)
    throw new TypeError(`dispatcher.${other} needs a publisher; the limits of handlers are in handlers`)
  return options
}
